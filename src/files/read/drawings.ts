import { LENGTHS } from '../../common/bounds.ts';
import * as f from '../fields/field-table.ts';
import { identities } from '../fields/identity.ts';
import { isBag, quoted } from '../fields/json.ts';
import type { ParsedDrawing } from './parsed.ts';

export type DrawingValues = Omit<ParsedDrawing, 'drawing_id' | 'extra' | 'given'>;

export const DRAWING_FIELDS: f.Fields<DrawingValues> = {
  x: f.integer(0),
  y: f.integer(0),
  z: f.integer(0),
  rotation: f.integer(0),
  locked: f.flag(false),
  svg: f.required(f.text('', LENGTHS.svg)),
};

export const DRAWING_DERIVED = ['drawing_id', 'project_id'];

export interface ReadDrawings {
  drawings: ParsedDrawing[];
  /** As they were in the file. */
  rejected: unknown[];
  warnings: string[];
}

export const readDrawings = (list: readonly unknown[], isCurrent: boolean, newId: () => string): ReadDrawings => {
  const identify = identities('drawing_id', newId);
  const drawings: ParsedDrawing[] = [];
  const rejected: unknown[] = [];
  const warnings: string[] = [];
  for (const [index, raw] of list.entries()) {
    const where = `Drawing ${index + 1} of the file`;
    if (!isBag(raw) || typeof raw.svg !== 'string') {
      rejected.push(raw);
      const svg = isBag(raw) ? `svg must be a text, not ${quoted(raw.svg)}` : `it is ${quoted(raw)}, not an object`;
      warnings.push(`${where} was left out: ${svg}`);
      continue;
    }
    const { id, reason } = identify(raw.drawing_id);
    const { values, wrong, extra } = f.readFields(raw, DRAWING_FIELDS, DRAWING_DERIVED);
    drawings.push({ ...values, drawing_id: id, extra, given: isCurrent ? raw : null });
    warnings.push(...[...(reason === null ? [] : [reason]), ...wrong].map((text) => `${where}: ${text}`));
  }
  return { drawings, rejected, warnings };
};
