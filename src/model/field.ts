import type { z } from 'zod';
import type { PropertyText } from '../common/forms/property-text.ts';

/**
 * One field of a noun that people set. Events, records, requests, answers, forms, project files, texts of labs, undo and replays are
 * made of it (derive.ts), so that nothing else needs to know the field by its name.
 */
export interface Field<S extends z.ZodType = z.ZodType> {
  /** Takes what a request may say. */
  readonly type: S;
  /** Takes what events carry and records keep, where that is wider than what a request may say. */
  readonly stored?: z.ZodType<z.output<S>>;
  /** Value of a new record whose request does not say it. */
  readonly initial: z.output<S>;
  /** Title, help and widget of forms. */
  readonly text: PropertyText;
  /** Only changes how the map looks. */
  readonly visual?: true;
  /** Only this server has it, and existing tools refuse it as a key that they do not know: in project files, or in records too. */
  readonly own?: 'file' | 'everywhere';
  /** The first logs do not have it: a record without it is as if it had the initial value. */
  readonly later?: true;
  /** Says something about this machine: a lab that comes from elsewhere does not bring it along. */
  readonly ofMachine?: true;
  /** Key in the text of a lab, where it has another one there. */
  readonly labKey?: string;
  /** Value in a project file that does not say it, where that is not the initial one. */
  readonly fileDefault?: z.output<S>;
  /** A project file that does not say it is told of. */
  readonly neededInFile?: true;
  /** Reads it from a project file, where its type does not tell how. */
  readonly inFile?: FileValue<z.output<S>>;
}

/** Tolerant reading of a value of a project file. */
export interface FileValue<T> {
  /** Answers undefined for what is not right. */
  read(value: unknown): T | undefined;
  /** Follows "must be" in a sentence. */
  readonly expected: string;
}

/** Reads a value as its type has it. */
export const ofType = <T>(type: z.ZodType<T>, expected: string): FileValue<T> => ({
  read: (value) => type.safeParse(value).data,
  expected,
});

/** Keeps the exact types of what is said. */
export const field = <S extends z.ZodType, const F extends Omit<Field<S>, 'type' | 'initial'>>(
  type: S,
  initial: z.output<S>,
  said: F,
): F & Pick<Field<S>, 'type' | 'initial'> => ({ ...said, type, initial });

export type Fields = Readonly<Record<string, Field>>;

export type Later<F extends Fields> = { [K in keyof F]: F[K] extends { later: true } ? K : never }[keyof F];

/** Values of all fields, as records have them. */
export type Values<F extends Fields> = { [K in Exclude<keyof F, Later<F>>]: z.output<F[K]['type']> } & {
  [K in Later<F>]?: z.output<F[K]['type']>;
};

/** Values that the text of a lab may say, by their keys there. */
export type LabValues<F extends Fields> = {
  [K in keyof F as F[K] extends { labKey: infer L extends string } ? L : K]?: z.output<F[K]['type']>;
};
