import type { z } from 'zod';

/** What people read of a property; forms are made of it, by the OpenAPI document. Titles and help are English sentences, found in the page's catalogue. */
export interface PropertyText {
  title: string;
  help: string;
  /** Absent: General. */
  group?: Group;
  unit?: string;
  /** How it is edited where its type does not tell. `pairs`: lines of two parts; `none`: forms leave it out. */
  widget?: 'code' | 'multiline' | 'image' | 'symbol' | 'pairs' | 'compute' | 'none';
  /** Each record has its own: forms for several leave it out. */
  unique?: boolean;
  /** Of pairs: what stands between their parts. */
  separator?: string;
  /** Of a text that becomes a file of the node: its name there, with `{node_id}`. */
  file?: string;
  /** What people call the values of an enumeration, where those do not say it. */
  options?: Readonly<Record<string, string>>;
}
export type Group = 'General' | 'Network' | 'Storage' | 'Console' | 'Position' | 'Map' | 'Advanced';
export type Texts = Readonly<Record<string, PropertyText>>;

/** The schema with what people read of it, and further marks. */
export const told = <S extends z.ZodType>(schema: S, text: PropertyText, marks: object = {}): S =>
  schema.meta({
    ...schema.meta(),
    title: text.title,
    description: text.help,
    'x-group': text.group ?? 'General',
    ...(text.unit === undefined ? {} : { 'x-unit': text.unit }),
    ...(text.widget === undefined ? {} : { 'x-widget': text.widget }),
    ...(text.separator === undefined ? {} : { 'x-separator': text.separator }),
    ...(text.file === undefined ? {} : { 'x-file': text.file }),
    ...(text.options === undefined ? {} : { 'x-options': text.options }),
    ...(text.unique === true ? { 'x-unique': true } : {}),
    ...marks,
  });

/** A column of a table, or a part of a setting. */
export const part = <S extends z.ZodType>(schema: S, title: string, help: string, unit?: string): S =>
  schema.meta({
    ...schema.meta(),
    title,
    description: help,
    ...(unit === undefined ? {} : { 'x-unit': unit }),
  });

/** The shape with what people read of its keys, in the order of the texts. */
export const toldShape = <S extends z.ZodRawShape>(shape: S, texts: Texts): S => {
  const order = Object.keys(texts);
  return Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => {
      const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
      return [key, text === undefined ? schema : told(schema as z.ZodType, text, { 'x-order': order.indexOf(key) })];
    }),
  ) as S;
};
