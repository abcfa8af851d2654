/* Logic of R14 (see spec/stopflag.md): what the word of a stop flag says. */
#ifndef ES_STOPWORD_ACSL_H
#define ES_STOPWORD_ACSL_H

/*@
  logic integer reason_of(integer word) = word % 256;
  predicate acked(integer word) = (word / 256) % 2 == 1;
  logic integer epoch_of(integer word) = word / 65536;
*/

#endif
