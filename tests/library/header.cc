// header: endstop.h in C++.
#include <endstop.h>

#include <cstdio>
#include <vector>

int main() {
  es_stream_request request = ES_STREAM_REQUEST;
  std::vector<char> memory(es_stream_size(&request));
  es_stream *stream = nullptr;
  es_stream_refusal refusal;
  request.max_tokens = 0;
  if (es_stream_open(&stream, memory.data(), memory.size(), &request, &refusal) != ES_OK) return 1;
  es_stream_end end;
  if (!es_stream_terminal(stream, &end)) return 1;
  std::printf("%s: %s\n", es_version(), end.cause);
  return es_stream_default_bounds.stops == 64 ? 0 : 1;
}
