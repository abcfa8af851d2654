/* Logic of R13 (see spec/request.md): what is at fault in one place of a request, and which place comes first. */
#ifndef ES_REQUEST_ACSL_H
#define ES_REQUEST_ACSL_H

#include "characters.acsl.h"

/*@
  // a stop string, the bytes H[0 .. length)
  predicate fault_of_stop(integer sid, integer length, integer most, integer priority, integer fault) =
    length == 0 ? fault == ES_FAULT_EMPTY :
    (length > most ? fault == ES_FAULT_TOO_LONG :
    (!well_formed(sid, 0, length) ? fault == ES_FAULT_NOT_UTF8 :
     fault == (priority < -128 || priority > 127 ? ES_FAULT_PRIORITY : ES_FAULT_NONE)));

  // an id; the vocabulary has ids below `vocabulary`
  logic integer fault_of_id(integer id, integer vocabulary) =
    id > INT32_MAX ? ES_FAULT_TOO_LARGE : id >= vocabulary ? ES_FAULT_NOT_IN_VOCABULARY : ES_FAULT_NONE;

  // a number that may be absent
  logic integer fault_of_number(integer n) = n > INT32_MAX && n != ES_NO_LIMIT ? ES_FAULT_TOO_LARGE : ES_FAULT_NONE;

  // a number that is at least `least`
  logic integer fault_of_count(integer n, integer least) =
    n < least ? ES_FAULT_TOO_SMALL : n > INT32_MAX ? ES_FAULT_TOO_LARGE : ES_FAULT_NONE;

  // the order of places: what concerns one member before what concerns two; then the members; within a list its count,
  // its elements by index, their total
  predicate place_before(integer pair, integer member, integer phase, integer index,
                         integer pair2, integer member2, integer phase2, integer index2) =
    pair < pair2 || (pair == pair2 &&
      (member < member2 || (member == member2 &&
        (phase < phase2 || (phase == phase2 && index < index2)))));

  lemma places_once: \forall integer p, m, f, i; !place_before(p, m, f, i, p, m, f, i);
  lemma places_through: \forall integer p, m, f, i, p2, m2, f2, i2, p3, m3, f3, i3;
    place_before(p, m, f, i, p2, m2, f2, i2) && place_before(p2, m2, f2, i2, p3, m3, f3, i3) ==>
    place_before(p, m, f, i, p3, m3, f3, i3);
  lemma places_all: \forall integer p, m, f, i, p2, m2, f2, i2;
    place_before(p, m, f, i, p2, m2, f2, i2) || place_before(p2, m2, f2, i2, p, m, f, i) ||
    (p == p2 && m == m2 && f == f2 && i == i2);
*/

#endif
