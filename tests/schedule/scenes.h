/* scenes: small runs of the engine loop to be explored under every schedule: 2 lanes × 3 steps × 2 requests. */
#ifndef SCENES_H
#define SCENES_H

#include "history.h"

typedef struct {
  const char *name;
  uint32_t slots;
  uint32_t asks[2];                   /* the lane that each of the two asks to stop */
  bool early;                         /* they have its record, and need not wait for its handle */
  uint64_t schedules, race_schedules; /* how many there are; … of those that differ, where each also looks at the end */
} scene;

#define SCENES 4
#define SCENE_FIBERS 3
extern const scene scenes[SCENES];

/* Sets the scene; its fibers; what was wrong, or NULL. `races`: each also looks whether the lane is over. */
void scene_begin(const scene *s, bool races);
extern void (*const scene_bodies[SCENE_FIBERS])(uint32_t);
const char *scene_fault(void);
void scene_print(const char *name, FILE *out);
void scene_end(void);

#endif
