import { z } from 'zod';
import { filters } from './types.ts';

/** An entry of the weather (common/forms/weather.ts), with ids of links and nodes. Times in milliseconds. */
export const weatherEntry = z.object({
  weather_id: z.string(),
  name: z.string().exactOptional(),
  /** From the start of the weather. */
  at: z.number(),
  /** Absent: to the end of the weather, or of its trace. */
  for: z.number().exactOptional(),
  /** `times` absent: to the end of the weather. */
  repeat: z.object({ every: z.number(), times: z.int().exactOptional() }).exactOptional(),
  /** Ids; those of deleted links are kept, as an undo may restore the link. Absent: all links. */
  links: z.array(z.string()).exactOptional(),
  filters: filters.exactOptional(),
  ramp: z.object({ from: filters.exactOptional(), to: filters, steps: z.int() }).exactOptional(),
  suspend: z.literal(true).exactOptional(),
  flap: z.object({ down: z.number(), up: z.number() }).exactOptional(),
  /** `file`: name of the trace in the lab text. Units: seconds, kbit/s, milliseconds, percent. */
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
  /** Ids of nodes; those of deleted nodes are kept as well. */
  crash: z.array(z.string()).exactOptional(),
});
export type WeatherEntry = z.infer<typeof weatherEntry>;

/** Effect of the weather on a link, over the link's own settings. */
export const linkWeather = z.object({ filters, suspend: z.literal(true).exactOptional() });
export type LinkWeather = z.infer<typeof linkWeather>;
