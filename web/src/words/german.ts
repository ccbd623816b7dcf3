import { app } from './german/app.ts';
import { catalogue } from './german/catalogue.ts';
import { checks } from './german/checks.ts';
import { common } from './german/common.ts';
import { computes } from './german/computes.ts';
import { consoles } from './german/consoles.ts';
import { inspector } from './german/inspector.ts';
import { links } from './german/links.ts';
import { schemaHelp } from './german/server/schema-help.ts';
import { schemaChecks } from './german/server/schema-checks.ts';
import { schemaWeather } from './german/server/schema-weather.ts';
import { schema } from './german/server/schema.ts';
import { checkTitles, findings } from './german/server/findings.ts';
import { clauses } from './german/server/clauses.ts';
import { computeRefusals } from './german/server/computes.ts';
import { engineRefusals } from './german/server/engines.ts';
import { fileRefusals } from './german/server/files.ts';
import { installs } from './german/server/installs.ts';
import { linkRefusals } from './german/server/links.ts';
import { machineRefusals } from './german/server/machines.ts';
import { nodeRefusals } from './german/server/nodes.ts';
import { projectRefusals } from './german/server/projects.ts';
import { refusals } from './german/server/refusals.ts';
import { verdicts } from './german/server/verdicts.ts';
import { why } from './german/server/why.ts';
import { notes } from './german/notes.ts';
import { timeline } from './german/timeline.ts';
import { map } from './german/map.ts';
import { packets } from './german/packets.ts';
import { picture } from './german/picture.ts';
import { projects } from './german/projects.ts';
import { together } from './german/together.ts';
import { undo } from './german/undo.ts';
import { weather } from './german/weather.ts';

/** The catalogue: each message in English, with its German. A room's messages are in its file; what several rooms say is in `common`. */
export const german = {
  ...common,
  ...app,
  ...catalogue,
  ...checks,
  ...computes,
  ...consoles,
  ...inspector,
  ...links,
  ...notes,
  ...timeline,
  ...map,
  ...packets,
  ...picture,
  ...projects,
  ...together,
  ...undo,
  ...weather,
} as const;

/** With the texts of the server, which come by its OpenAPI document. */
export const everything: Readonly<Record<string, string>> = {
  ...schemaChecks,
  ...schemaWeather,
  ...schema,
  ...schemaHelp,
  ...german,
};

/** Titles of checks, which people can name as well: those names are theirs. */
export const titles: Readonly<Record<string, string>> = checkTitles;

/** Sentences of the server with values in them. */
export const sentences: Readonly<Record<string, string>> = {
  ...clauses,
  ...computeRefusals,
  ...engineRefusals,
  ...fileRefusals,
  ...installs,
  ...linkRefusals,
  ...machineRefusals,
  ...nodeRefusals,
  ...projectRefusals,
  ...refusals,
  ...findings,
  ...verdicts,
  ...why,
};
