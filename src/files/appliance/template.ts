import { z } from 'zod';
import { messageOf, TopologError } from '../../common/errors.ts';
import type { Category, Kind } from '../../emulators/kit/contract.ts';
import { fillFormat } from '../../emulators/ports/port-format.ts';
import type { Here, Problem, Section, VersionOfAppliance } from './appliance.ts';
import type { ApplianceFile, ApplianceVersion } from './schema.ts';

interface Parts {
  file: ApplianceFile;
  version: ApplianceVersion | null;
  section: Section;
  /** Settings that name images. */
  images: Record<string, unknown>;
  here: Here;
}

/** They stand beside the section, and are of the emulator whose ports have names by a format. */
const BESIDE = ['first_port_name', 'port_name_format', 'port_segment_size', 'linked_clone'];
/** Fields of every template, which stand among the properties from version 8 on. */
const COMMON = ['name', 'default_name_format', 'category', 'symbol', 'compute_id', 'template_type'];

/** Fields of the template of a version; what cannot be used is left out and told. */
export const templateOf = (parts: Parts): Pick<VersionOfAppliance, 'template' | 'problems'> => {
  const { file, version, section, images } = parts;
  const { kind, properties } = section;
  const beside = Object.fromEntries(BESIDE.filter((key) => file[key] != null).map((key) => [key, file[key]]));
  const own = Object.fromEntries(Object.entries(properties).filter(([key]) => !COMMON.includes(key)));
  const usage = [file.usage, version?.usage].filter((text) => text != null && text !== '').join('\n\n');
  const said = usage === '' ? {} : { usage };
  const given = { ...said, ...(kind.appliance?.settings({ ...beside, ...own }, version ?? {}) ?? {}), ...images };
  const { settings, problems } = usable(kind, given);
  try {
    kind.template.complete(settings);
  } catch (error) {
    if (!(error instanceof TopologError)) throw error;
    const field = error.details['field'];
    const problem = { field: typeof field === 'string' ? field : kind.alias, message: messageOf(error) };
    return { template: null, problems: [...problems, problem] };
  }
  return { template: { ...commonOf(parts), settings }, problems };
};

const commonOf = ({ file, version, section, here }: Parts) => {
  const { properties, kind } = section;
  const category = categoryOf(version?.category ?? properties['category'] ?? file.category) ?? kind.template.category;
  const wanted = version?.symbol ?? properties['symbol'] ?? file.symbol;
  const symbol = typeof wanted === 'string' && here.hasSymbol(wanted) ? wanted : (SYMBOLS[category] ?? null);
  const format = properties['default_name_format'];
  return {
    name: version === null ? file.name : `${file.name} ${version.name}`,
    category,
    symbol,
    ...(typeof format === 'string' && format !== '' ? { default_name_format: format } : {}),
  };
};

const CATEGORIES: Readonly<Record<string, Category>> = {
  router: 'router',
  switch: 'switch',
  multilayer_switch: 'switch',
  firewall: 'firewall',
  guest: 'guest',
};
const categoryOf = (value: unknown): Category | null => CATEGORIES[String(value)] ?? null;

/** Where the file names none; end devices look as their kind. */
const SYMBOLS: Readonly<Partial<Record<Category, string>>> = {
  router: ':/symbols/router.svg',
  switch: ':/symbols/multilayer_switch.svg',
  firewall: ':/symbols/firewall.svg',
};

const usable = (
  kind: Kind,
  given: Record<string, unknown>,
): { settings: Record<string, unknown>; problems: Problem[] } => {
  const shape: Readonly<Record<string, z.core.$ZodType>> = kind.template.settings.shape;
  const settings: Record<string, unknown> = {};
  const problems: Problem[] = [];
  const filled = Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== '');
  for (const [key, value] of filled) {
    const schema: z.core.$ZodType | undefined = Object.hasOwn(shape, key) ? shape[key] : undefined;
    const problem = schema === undefined ? 'templates have no such setting' : problemOf(schema, key, value);
    if (problem === null) settings[key] = value;
    else problems.push({ field: key, message: problem });
  }
  return { settings, problems };
};

const problemOf = (schema: z.core.$ZodType, key: string, value: unknown): string | null => {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue !== undefined) return issue.message;
  try {
    if (key === 'port_name_format') fillFormat(String(value), 0, 0, 0);
    return null;
  } catch (error) {
    return messageOf(error).replace(/^.*port_name_format: /, '');
  }
};
