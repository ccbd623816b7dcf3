import { app } from './german/app.ts';
import { common } from './german/common.ts';
import { timeline } from './german/timeline.ts';
import { map } from './german/map.ts';
import { picture } from './german/picture.ts';
import { projects } from './german/projects.ts';
import { undo } from './german/undo.ts';

/** The catalogue: each message in English, with its German. A room's messages are in its file; what several rooms say is in `common`. */
export const german = {
  ...common,
  ...app,
  ...timeline,
  ...map,
  ...picture,
  ...projects,
  ...undo,
} as const;
