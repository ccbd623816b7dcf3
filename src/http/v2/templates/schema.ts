import { z } from 'zod';
import type { KindNames } from '../../kind-names.ts';
import { withTexts } from '../../../common/forms/property-text.ts';
import { TEMPLATE_TEXTS } from '../texts.ts';
import { filledLine, name, omit, once, uuid, word } from '../schema.ts';

const category = z.enum(['router', 'switch', 'guest', 'firewall']);

/** Clients leave a text empty, or send null, for the default. */
const orDefault = (schema: z.ZodType<string>) =>
  z
    .union([schema, z.literal(''), z.null()])
    .transform((value) => (value === '' ? null : value))
    .exactOptional();

const told = <S extends z.ZodRawShape>(shape: S): S => withTexts(shape, TEMPLATE_TEXTS);

/** Of every kind; further keys are the kind's own settings, which its schema checks. */
const shared = told({
  default_name_format: orDefault(name),
  symbol: orDefault(filledLine),
  category: category.nullable().exactOptional(),
  builtin: z.unknown().exactOptional().meta({ readOnly: true }),
});

export const templateCreate = once((names: KindNames) =>
  z.looseObject({
    ...told({
      name,
      template_type: z.enum(names.accepted),
      template_id: uuid.exactOptional(),
      compute_id: word.nullable().exactOptional(),
    }),
    ...shared,
  }),
);

const FIXED = ['template_id', 'template_type', 'compute_id', 'builtin'];

/** A record may come back as it was read. */
export const templateUpdate = z
  .looseObject({ ...told({ name: name.exactOptional() }), ...shared })
  .transform((body) => omit(body, FIXED));

export const templateRecord = z.looseObject(
  told({
    template_id: z.string(),
    template_type: z.string(),
    name: z.string(),
    compute_id: z.string().nullable(),
    default_name_format: z.string(),
    symbol: z.string(),
    category,
    builtin: z.boolean(),
  }),
);

export const nodePlace = z.strictObject({
  x: z.int(),
  y: z.int(),
  name: name.nullable().exactOptional(),
  compute_id: word.nullable().exactOptional(),
});
