import { type Message, t, type Values } from './words.ts';

/** Refuses what was typed, in a sentence for who has typed it: in the language of the page. */
export class DraftProblem extends Error {
  constructor(message: Message, values?: Values) {
    super(t(message, values));
  }
}
