import { z } from 'zod';

export const loginState = z.strictObject({
  asked: z.boolean().meta({ description: 'Whether this server asks for a password' }),
  user: z.string().nullable().meta({ description: 'Whom it knows by this request; null: nobody' }),
});
