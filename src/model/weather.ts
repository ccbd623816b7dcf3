import { z } from 'zod';
import { filters } from './types.ts';

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
