import { z } from 'zod';
import { field, type Fields, listOf, name } from '../kit/fields.ts';

const portMapping = z.strictObject({ name, port_number: z.int().min(0) });

const eight = Array.from({ length: 8 }, (_, n) => ({ name: `Ethernet${n}`, port_number: n }));

export const fields: Fields = { ports_mapping: field(listOf(portMapping), eight) };
