import { invalid } from '../../common/errors.ts';
import { UUID, UUID_PROBLEM } from '../../model/types.ts';
import type { ParamName, ParamTypes } from '../routing/route.ts';

/** File name of a recording, without directories. */
export const RECORDING = /^[0-9A-Za-z][0-9A-Za-z._-]*\.cast$/;
const DIGITS = /^\d+$/;

/** Checks the placeholders of a path and converts them for handlers. */
export const parseParams = (names: readonly ParamName[], given: Readonly<Record<string, string>>): ParamTypes => {
  const params: Partial<Record<ParamName, string | number>> = {};
  for (const name of names) params[name] = parseParam(name, given[name] ?? '');
  return params as ParamTypes;
};

const parseParam = (name: ParamName, text: string): string | number => {
  switch (name) {
    case 'project_id':
    case 'node_id':
    case 'link_id':
    case 'drawing_id':
    case 'template_id':
    case 'replay_id':
    case 'snapshot_id':
    case 'weather_id':
    case 'check_id':
      if (!UUID.test(text)) throw badField(name, UUID_PROBLEM);
      return text;
    case 'adapter_number':
    case 'port_number':
    case 'packet_number':
    case 'position':
      if (!DIGITS.test(text)) throw badField(name, 'must be digits only');
      if (!Number.isSafeInteger(Number(text))) throw badField(name, 'is too large');
      return Number(text);
    case 'recording_name':
      if (!RECORDING.test(text)) throw badField(name, 'must be a file name that ends in .cast, without directories');
      return text;
    case 'capture_name':
      if (/[/\\\0]/.test(text) || text.startsWith('.')) throw badField(name, 'must be a file name without directories');
      return text;
    case 'path':
    case 'filename':
    case 'action':
    case 'emulator':
    case 'engine':
    case 'compute_id':
    case 'symbol_id':
      return text;
  }
};

/** The 400 of a single field. */
export const badField = (field: string, problem: string) =>
  invalid(`${field} ${problem}`, { errors: [{ field, problem }] });
