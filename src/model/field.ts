import type { z } from 'zod';
import type { PropertyText } from '../common/forms/property-text.ts';

/**
 * One field of a noun that users set. Events, records, requests, answers, forms, project files, lab texts, undo and
 * replays are derived from it (derive.ts), so that nothing else needs to name the field.
 */
export interface Field<S extends z.ZodType = z.ZodType> {
  /** Schema of the value in requests. */
  readonly type: S;
  /** Schema of the value in events and records, where that is wider than in requests. */
  readonly stored?: z.ZodType<z.output<S>>;
  /** Value of a new record whose request lacks it. */
  readonly initial: z.output<S>;
  /** Title, help and widget of forms. */
  readonly text: PropertyText;
  /** Only changes how the map looks. */
  readonly visual?: true;
  /** Only this server knows it; existing tools refuse it as an unknown key: in project files, or in records too. */
  readonly own?: 'file' | 'everywhere';
  /** Missing in the first logs: a record without it has the initial value. */
  readonly later?: true;
  /** Specific to this machine: not taken over with a lab from elsewhere. */
  readonly ofMachine?: true;
  /** Key in lab texts, where it differs. */
  readonly labKey?: string;
  /** Value for a project file that lacks it, where that is not the initial one. */
  readonly fileDefault?: z.output<S>;
  /** A project file that lacks it gets a warning. */
  readonly neededInFile?: true;
  /** Reads it from a project file, where its type does not define how. */
  readonly inFile?: FileValue<z.output<S>>;
}

/** Tolerant reading of a value of a project file. */
export interface FileValue<T> {
  /** Undefined for a wrong value. */
  read(value: unknown): T | undefined;
  /** Continues a sentence after "must be". */
  readonly expected: string;
}

/** Reader that accepts what the schema accepts. */
export const ofType = <T>(type: z.ZodType<T>, expected: string): FileValue<T> => ({
  read: (value) => type.safeParse(value).data,
  expected,
});

/** Makes a field, keeping the exact types of its options. */
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

/** Values in a lab text, under their keys there. */
export type LabValues<F extends Fields> = {
  [K in keyof F as F[K] extends { labKey: infer L extends string } ? L : K]?: z.output<F[K]['type']>;
};
