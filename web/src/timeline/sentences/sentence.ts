import type { Entry } from '../server.ts';
import { updateSentence } from './changes.ts';
import { CHECKS, LAB } from './lab-events.ts';
import { SERVER } from './server-events.ts';
import { asData, personIn, reasonIn, type Say, subjectIn } from './subject.ts';

const OF_TYPE: Readonly<Record<string, Say>> = {
  ...LAB,
  ...SERVER,
  ...CHECKS,
  'node.updated': updateSentence,
  'link.updated': updateSentence,
  'drawing.updated': updateSentence,
};

/** Whether a type has a sentence of its own. */
export const hasSentence = (type: string): boolean => Object.hasOwn(OF_TYPE, type);

/** Says an event as a person would. A type that is not known here goes by its name. */
export const sentenceOf = (entry: Entry): string => {
  const words = { who: personIn(entry), name: subjectIn(entry), why: reasonIn(entry), more: entry.count - 1 };
  const say = OF_TYPE[entry.type];
  if (say !== undefined) return say(entry, words);
  const [noun = '', verb = ''] = entry.type.split('.');
  return `${words.name}: ${noun} ${verb.replaceAll('_', ' ')}`;
};

/** The same of an event as the log has it, e.g. in the history of an object. */
export const sentenceOfEvent = (event: {
  readonly type: string;
  readonly position: number;
  readonly at: string;
  readonly by: { readonly principal: string };
  readonly data: Readonly<Record<string, unknown>>;
  readonly name: string | null;
  readonly former: string | null;
}): string => {
  const { type, position, data, name, former } = event;
  const isMove = Object.keys(asData(data['changes'])).every((key) => key === 'x' || key === 'y' || key === 'z');
  return sentenceOf({
    type,
    position,
    last: position,
    count: 1,
    at: Date.parse(event.at),
    person: event.by.principal,
    data: { ...data },
    kind: type.endsWith('.updated') && isMove ? 'move' : 'other',
    object: null,
    name,
    former,
    ends: [],
    took: null,
  });
};
