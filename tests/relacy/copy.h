// The flag whose sources were included just before, in the namespace that this is included into. No guard: once a copy.
inline es_stop_slot *own(slot *one) {
  return reinterpret_cast<es_stop_slot *>(one);
}

constexpr flag operations = {
    [](slot *one, uint64_t epoch) { es_stop_init(own(one), epoch); },
    [](slot *one) { return es_stop_epoch(own(one)); },
    [](slot *one, uint64_t epoch, uint8_t reason) { return es_stop_request(own(one), epoch, reason); },
    [](slot *one) { return es_stop_poll(own(one)); },
    [](slot *one, uint8_t *reason) { return es_stop_ack(own(one), reason); },
    [](slot *one, uint64_t epoch) { return es_stop_over(own(one), epoch); },
    [](slot *one, uint64_t epoch, bool (*wait)(void *), void *context) {
      return es_stop_await(own(one), epoch, wait, context);
    },
    [](slot *one, uint64_t *epoch) { return es_stop_recycle(own(one), epoch); },
};
static_assert(sizeof(es_stop_slot) == sizeof(slot), "a slot is its word");
