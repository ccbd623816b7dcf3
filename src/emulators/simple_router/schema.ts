import type { Properties } from '../kit/contract.ts';
import { field, type Fields, int, own } from '../kit/fields.ts';

const DEFAULT = 4;

export const fields: Fields = { port_count: own(field(int(1, 32), DEFAULT)) };

export const countOf = ({ port_count }: Properties): number => (typeof port_count === 'number' ? port_count : DEFAULT);
