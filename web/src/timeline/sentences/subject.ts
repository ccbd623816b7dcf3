import { t, told } from '../../words/words.ts';
import type { Entry } from '../server.ts';

type Data = Readonly<Record<string, unknown>>;
export const asData = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const LONGEST = 80;

/** A value in one short line. */
export const brief = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
};

/** A value of the event in one short line; empty when the event has none. */
export const text = (entry: Entry, key: string): string => brief(entry.data[key] ?? '');

export const withWhy = (sentence: string, why: string): string => (why === '' ? sentence : `${sentence}: ${why}`);

/** The person, at the beginning of a sentence. */
export const personIn = ({ person }: Pick<Entry, 'person'>): string =>
  person === 'system' ? t('The server') : person === 'anonymous' ? t('Somebody') : person;

/** The object of an entry, by its name of that time. */
export const subjectIn = ({ object, name, ends, data }: Pick<Entry, 'object' | 'name' | 'ends' | 'data'>): string => {
  if (object?.collection === 'link' && ends.length > 0)
    return t('the link {ends}', {
      ends: ends.map(({ name: node, port }) => brief(`${node} ${port}`).trim()).join(' – '),
    });
  if (isText(name)) return brief(name);
  if (isText(data['name'])) return brief(data['name']);
  switch (object?.collection) {
    case 'node':
      return t('a node');
    case 'link':
      return t('a link');
    case 'drawing':
      return t('a drawing');
    case 'snapshot':
      return t('a snapshot');
    default:
      return t('the project');
  }
};

const said = (text: unknown): string => brief(isText(text) ? told(text) : text);

/** Why something failed. */
export const reasonIn = ({ data }: Pick<Entry, 'data'>): string => {
  const { failure, failed, reason, message } = data;
  const failures = Array.isArray(failed)
    ? failed.map((one) => `${brief(asData(one)['name'])}: ${said(asData(asData(one)['failure'])['message'])}`)
    : [];
  const [why, ...others] = [asData(failure)['message'], reason, message].map((one) => (isText(one) ? said(one) : one));
  return [why, ...failures, ...others].filter(isText).map(brief).join('; ');
};

/** Writes a sentence about one type of event. */
export type Say = (entry: Entry, words: Words) => string;

export interface Words {
  readonly who: string;
  readonly name: string;
  readonly why: string;
  /** Objects beside the first one. */
  readonly more: number;
}
