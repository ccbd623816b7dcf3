import { z } from 'zod';

/** Texts of a property, in the OpenAPI document and in the forms that are made from it. Titles and help are English, which the page translates. */
export interface PropertyText {
  title: string;
  help: string;
  /** Absent: General. */
  group?: Group;
  unit?: string;
  /** Input field, if it does not follow from the type. `pairs`: lines of two parts; `none`: forms leave it out. */
  widget?: 'code' | 'multiline' | 'image' | 'symbol' | 'pairs' | 'compute' | 'none';
  /** Each record has its own value: forms for several records leave it out. */
  unique?: boolean;
  /** Text between the two parts of a pair. */
  separator?: string;
  /** Name of the node's file with this text, which may contain `{node_id}`. */
  file?: string;
  /** Labels of the values of an enumeration. */
  options?: Readonly<Record<string, string>>;
}
export type Group = 'General' | 'Network' | 'Storage' | 'Console' | 'Position' | 'Map' | 'Advanced';
export type Texts = Readonly<Record<string, PropertyText>>;

/** Rules that are code in a form, as the JSON Schema of a lab's text says them: a pattern, `oneOf`, … */
export const JSON_RULES = z.registry<Readonly<Record<string, unknown>>>();

/** Adds texts and further metadata to a schema. */
export const withText = <S extends z.ZodType>(schema: S, text: PropertyText, marks: object = {}): S =>
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

/** Adds title, help and unit to a column of a table, or a part of a setting. */
export const part = <S extends z.ZodType>(schema: S, title: string, help: string, unit?: string): S =>
  schema.meta({
    ...schema.meta(),
    title,
    description: help,
    ...(unit === undefined ? {} : { 'x-unit': unit }),
  });

/** Adds texts to the keys of a shape, and their order. */
export const withTexts = <S extends z.ZodRawShape>(shape: S, texts: Texts): S => {
  const order = Object.keys(texts);
  return Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => {
      const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
      return [
        key,
        text === undefined ? schema : withText(schema as z.ZodType, text, { 'x-order': order.indexOf(key) }),
      ];
    }),
  ) as S;
};
