/* test_stream: what the files of the stream's suite share. */
#ifndef ES_TESTS_TEST_STREAM_H
#define ES_TESTS_TEST_STREAM_H

#include <check.h>

#include "request.h"

/* test_stream_use.c: calls, memory, and requests at fault. */
TCase *stream_use_tests(void);

/* test_stream_refuse.c. The stream refuses this request as the core does, in the words that the reader has for it. */
void stream_refuses(const es_request *request, const es_bounds *bounds);
/* The same of random ones. */
TCase *stream_refuse_tests(void);

#endif
