import { z } from 'zod';
import { checkFormWith, evidence } from '../../../common/forms/check.ts';
import { omit } from '../schema.ts';

/** Keys of a record that clients may send back as they read them. */
const readOnly = z.unknown().exactOptional().meta({ readOnly: true });
const OWN = ['check_id', 'title', 'result'];

export const checkInput = checkFormWith({ check_id: readOnly, title: readOnly, result: readOnly }).transform(
  (check) => omit(check, OWN) as Omit<typeof check, 'check_id' | 'title' | 'result'>,
);

const result = z.strictObject({
  verdict: z
    .enum(['met', 'broken', 'unknown'])
    .meta({ description: 'In the last run of the lab; unknown: nothing was told of it yet' }),
  running: z.boolean().meta({ description: 'The lab runs: it is looked at now' }),
  at: z.string().nullable().meta({ description: 'When the verdict changed last, ISO time' }),
  after_ms: z.int().nullable().meta({ description: 'The same since the start of the lab, in milliseconds' }),
  position: z.int().nullable().meta({ description: 'Of the event that says so, which has the evidence' }),
  text: z
    .string()
    .nullable()
    .meta({ description: 'What was found, as a sentence; before there is a verdict, at the last look' }),
  last: z
    .strictObject({ at: z.string(), holds: z.boolean().nullable(), text: z.string() })
    .nullable()
    .meta({ description: 'The last look of a lab that runs, whether it changed the verdict or not' }),
  broken: z.int().meta({ description: 'How many times it broke in this run' }),
});

export const checkAnswer = checkFormWith({
  check_id: z.string(),
  title: z.string().meta({ description: 'Its name, or what it says as a sentence' }),
  result,
});

export const finding = z.strictObject({
  holds: z.boolean().nullable().meta({ description: 'null: nobody can say now' }),
  text: z.string(),
  evidence,
});

export const stageAnswer = z.strictObject({
  name: z.string(),
  is_unlocked: z.boolean(),
  is_passed: z.boolean(),
  points: z.number().meta({ description: 'Of checks that were met in time; 0 while it is locked' }),
  of: z.number(),
  deadline: z.string().nullable().meta({ description: 'Since the start of the lab' }),
  checks: z.array(
    z.strictObject({
      check_id: z.string().nullable().meta({ description: 'null: there is no check of this name' }),
      name: z.string(),
      points: z.number(),
      position: z.int().nullable().meta({ description: 'Of the event that met it; null: none did in time' }),
    }),
  ),
});

export const resultSheet = z.strictObject({
  sheet: z.string().meta({ description: 'CSV: a row for each stage of each lab, and the hash of its last event' }),
  public_key: z.string().meta({ description: 'Of session files: Ed25519, DER SubjectPublicKeyInfo as base64' }),
  signature: z.string().meta({ description: 'Over the octets of the sheet, base64' }),
});
