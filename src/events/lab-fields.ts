import { z } from 'zod';
import { filters } from '../model/types.ts';

/** What happens to a lab as a whole, as events carry it and records keep it: weather, and texts that are applied. */

export type Filters = z.infer<typeof filters>;

/** Something that happens to a lab for a time (common/forms/weather.ts), of links and nodes by their ids. Times in milliseconds. */
export const weatherEntry = z.object({
  weather_id: z.string(),
  name: z.string().exactOptional(),
  /** From the start of the weather. */
  at: z.number(),
  /** Absent: to its end, or as long as its trace. */
  for: z.number().exactOptional(),
  /** `times` absent: to the end of the weather. */
  repeat: z.object({ every: z.number(), times: z.int().exactOptional() }).exactOptional(),
  /** Ids; one of a link that is gone is kept, as the link may be there again. Absent: all links. */
  links: z.array(z.string()).exactOptional(),
  filters: filters.exactOptional(),
  ramp: z.object({ from: filters.exactOptional(), to: filters, steps: z.int() }).exactOptional(),
  suspend: z.literal(true).exactOptional(),
  flap: z.object({ down: z.number(), up: z.number() }).exactOptional(),
  /** `file`: the name that its text had. Seconds, kbit/s, milliseconds, percent. */
  trace: z
    .object({
      file: z.string().exactOptional(),
      points: z.array(
        z.object({
          time: z.number(),
          rate: z.number().exactOptional(),
          delay: z.number().exactOptional(),
          loss: z.number().exactOptional(),
        }),
      ),
    })
    .exactOptional(),
  /** Ids, as those of links. */
  crash: z.array(z.string()).exactOptional(),
});
export type WeatherEntry = z.infer<typeof weatherEntry>;

/** What the weather does to a link, over what the link has of its own. */
export const linkWeather = z.object({ filters, suspend: z.literal(true).exactOptional() });
export type LinkWeather = z.infer<typeof linkWeather>;

/** What a step of the weather has told. */
export const weatherStep = {
  at: z.number(),
  since: z.int().nullable(),
  storms: z.array(z.string()),
  down: z.array(z.string()),
  up: z.array(z.string()),
};

/** Left to do of a text once its lab is new, or has stayed old. */
const applyEnd = z.object({
  /** Nodes that run then: those that stand still for it, and new ones of kinds that always run. */
  running: z.array(z.string()),
  /** Nodes that go to another compute. */
  moves: z.array(z.object({ node_id: z.string(), to: z.string() })),
  /** All nodes are started. */
  start: z.literal(true).exactOptional(),
  /** The project was made for it, and goes where nothing comes of it. */
  made: z.literal(true).exactOptional(),
});
export type ApplyEnd = z.infer<typeof applyEnd>;

/** `sha256`: of the text. */
export const applyRequested = {
  format: z.string(),
  sha256: z.string(),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  restarted: z.int(),
  /** Absent in the first logs. */
  after: applyEnd.exactOptional(),
};
