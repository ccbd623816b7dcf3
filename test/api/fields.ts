import assert from 'node:assert/strict';
import type { Bag } from './api.ts';

/** Type of a field as the description writes it; a list is an enumeration. */
export type FieldType =
  'string' | 'string|null' | 'uuid' | 'integer' | 'integer|null' | 'boolean' | 'object' | 'array' | readonly string[];

export type FieldTable = Readonly<Record<string, FieldType>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const fits = (type: FieldType, value: unknown): boolean => {
  if (typeof type !== 'string') return typeof value === 'string' && type.includes(value);
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'string|null':
      return value === null || typeof value === 'string';
    case 'uuid':
      return typeof value === 'string' && UUID.test(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'integer|null':
      return value === null || Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
  }
};

/** Every field of the table is in the record and has its type. */
export const assertFields = (record: Bag, table: FieldTable): void => {
  const wrong = Object.entries(table)
    .filter(([name, type]) => !Object.hasOwn(record, name) || !fits(type, record[name]))
    .map(([name, type]) => `${name} must be ${String(type)} and is ${JSON.stringify(record[name])}`);
  assert.deepEqual(wrong, []);
};

/** The record without some of its fields. */
export const without = (record: Bag, ...names: string[]): Bag =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

export const NODE_STATUS = ['started', 'stopped', 'suspended'] as const;
