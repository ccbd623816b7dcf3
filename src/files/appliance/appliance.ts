import { z } from 'zod';
import { invalid, messageOf, TopologError } from '../../common/errors.ts';
import type { Category, Kind } from '../../emulators/kit/contract.ts';
import { fillFormat } from '../../emulators/ports/port-format.ts';
import type { ImageFile } from '../images.ts';
import { type ApplianceFile, applianceFile, type ApplianceImage, type ApplianceVersion } from './schema.ts';

/** An appliance with what clients show of it, and what a template of it needs. */
export interface Appliance {
  name: string;
  vendor: string | null;
  description: string | null;
  status: string | null;
  registry_version: number;
  documentation_url: string | null;
  product_url: string | null;
  usage: string | null;
  /** A file without versions has one, without a name. */
  versions: VersionOfAppliance[];
}

export interface VersionOfAppliance {
  name: string | null;
  /** Neutral name of the kind. */
  kind: string;
  images: FoundImage[];
  /** Fields of a template; null: none can be made, as `problems` say. */
  template: { name: string; category: string; symbol: string | null; settings: Record<string, unknown> } | null;
  problems: Problem[];
}

/** Kinds, images and symbols on this server. */
export interface Available {
  kinds: { get(name: string): Kind | undefined; all(): readonly Kind[] };
  images(kind: Kind): readonly ImageFile[];
  hasSymbol(id: string): boolean;
}

/** An image that a version needs. */
interface FoundImage {
  slot: string;
  filename: string;
  md5sum: string | null;
  filesize: number | null;
  /** Compression of the file to download; checksum and size are those of its content. */
  compression: string | null;
  download_url: string | null;
  direct_download_url: string | null;
  /** Path of the file among the images of the kind; null: missing. */
  found: string | null;
  /** Checksum of a different file with this name. */
  other_md5sum: string | null;
}

/** Part of the appliance file that cannot be used, and why. */
interface Problem {
  field: string;
  message: string;
}

/** Section of an appliance file with the settings for one kind. */
interface Section {
  /** Absent: unnamed. */
  name?: string | undefined;
  kind: Kind;
  properties: Record<string, unknown>;
}

/** Throws `invalid_request`, which names the field. */
export const parseAppliance = (content: unknown): ApplianceFile => {
  const { data, error } = applianceFile.safeParse(content);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw invalid(`${field === '' ? 'the appliance' : field}: ${issue?.message ?? 'is not valid'}`, { field });
};

/** Kinds of the appliance's sections. Throws `invalid_request` for a file without any. */
export const kindsOfAppliance = (file: ApplianceFile, kinds: Available['kinds']): Kind[] => [
  ...new Set(sectionsOf(file, kinds).map(({ kind }) => kind)),
];

/** Pure. Throws `invalid_request`. */
export const readAppliance = (file: ApplianceFile, here: Available): Appliance => {
  const sections = sectionsOf(file, here.kinds);
  const versions = file.versions ?? [];
  const all: (ApplianceVersion | null)[] = versions.length === 0 ? [null] : versions;
  return {
    name: file.name,
    vendor: textOf(file.vendor_name),
    description: textOf(file.description),
    status: textOf(file.status),
    registry_version: file.registry_version,
    documentation_url: webAddress(file.documentation_url),
    product_url: webAddress(file.product_url),
    usage: textOf(file.usage) ?? textOf(file.installation_instructions),
    versions: all.map((version) => versionOf(file, version, sectionFor(sections, version), here)),
  };
};

const sectionsOf = (file: ApplianceFile, kinds: Available['kinds']): [Section, ...Section[]] => {
  const [first, ...others] = file.settings == null ? emulatorsOf(file, kinds) : settingsOf(file.settings, kinds);
  if (first === undefined) throw invalid(`it has none of the sections ${names(kinds)}`, { field: names(kinds) });
  if (file.settings == null && others.length > 0)
    throw invalid(`it has more than one of the sections ${names(kinds)}`, { field: others[0]?.kind.alias ?? '' });
  return [first, ...others];
};

const names = (kinds: Available['kinds']): string =>
  withForm(kinds)
    .map(({ alias }) => alias)
    .join(', ');
const withForm = (kinds: Available['kinds']): Kind[] => kinds.all().filter(({ appliance }) => appliance !== undefined);

const emulatorsOf = (file: ApplianceFile, kinds: Available['kinds']): Section[] =>
  withForm(kinds).flatMap((kind): Section[] => {
    const section = file[kind.alias];
    if (section === undefined || section === null) return [];
    if (typeof section !== 'object' || Array.isArray(section))
      throw invalid(`${kind.alias}: must be an object`, { field: kind.alias });
    return [{ kind, properties: { ...section } }];
  });

const settingsOf = (sets: NonNullable<ApplianceFile['settings']>, kinds: Available['kinds']): Section[] => {
  const base = sets.find((set) => set.default === true) ?? sets[0];
  const made = sets.map((set, index): Section => {
    const kind = kinds.get(set.template_type);
    if (kind?.appliance === undefined) {
      const field = `settings.${index}.template_type`;
      throw invalid(`${field}: must be one of ${names(kinds)}`, { field });
    }
    const inherits = set.inherit_default_properties !== false && base?.template_type === set.template_type;
    const properties = { ...(inherits ? base.template_properties : {}), ...set.template_properties };
    return { name: set.name ?? undefined, kind, properties };
  });
  // The default section comes first.
  const first = base === undefined ? 0 : sets.indexOf(base);
  return [...made.slice(first, first + 1), ...made.slice(0, first), ...made.slice(first + 1)];
};

const sectionFor = (sections: [Section, ...Section[]], version: ApplianceVersion | null): Section =>
  sections.find(({ name }) => name !== undefined && name === version?.settings) ?? sections[0];

const versionOf = (
  file: ApplianceFile,
  version: ApplianceVersion | null,
  section: Section,
  here: Available,
): VersionOfAppliance => {
  const { images, problems } = imagesOfVersion(file, version, section.kind, here.images(section.kind));
  const made = templateOf({ file, version, section, images: settingsOfImages(section.kind, images), here });
  return {
    name: version?.name ?? null,
    kind: section.kind.name,
    images,
    template: made.template,
    problems: [...problems, ...made.problems],
  };
};

interface TemplateParts {
  file: ApplianceFile;
  version: ApplianceVersion | null;
  section: Section;
  /** Settings that name images. */
  images: Record<string, unknown>;
  here: Available;
}

/** Settings outside of the section, for the one emulator whose ports are named by a format. */
const BESIDE = ['first_port_name', 'port_name_format', 'port_segment_size', 'linked_clone'];
/** Fields of every template, which version 8 and later have among the properties. */
const COMMON = ['name', 'default_name_format', 'category', 'symbol', 'compute_id', 'template_type'];

/** Fields of the template of a version; unusable ones are left out and reported. */
const templateOf = (parts: TemplateParts): Pick<VersionOfAppliance, 'template' | 'problems'> => {
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

const commonOf = ({ file, version, section, here }: TemplateParts) => {
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

/** Used where the file names none; other categories get the symbol of their kind. */
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

/** Two files of an appliance may have the same name: the one of this version is preferred. */
const imageNamed = (
  { images }: ApplianceFile,
  filename: string,
  version: ApplianceVersion,
): ApplianceImage | undefined => {
  const named = (images ?? []).filter((image) => image.filename === filename);
  return named.find((image) => image.version === version.name) ?? named[0];
};

const imagesOfVersion = (
  file: ApplianceFile,
  version: ApplianceVersion | null,
  kind: Kind,
  there: readonly ImageFile[],
): { images: FoundImage[]; problems: Problem[] } => {
  const images: FoundImage[] = [];
  const problems: Problem[] = [];
  for (const [slot, filename] of Object.entries(version?.images ?? {})) {
    if (version === null || filename === '') continue;
    if (!Object.hasOwn(kind.appliance?.slots ?? {}, slot)) {
      problems.push({ field: slot, message: 'there is no such place for an image' });
      continue;
    }
    images.push({ slot, filename, ...described(imageNamed(file, filename, version), filename, there) });
  }
  return { images, problems };
};

const described = (
  image: ApplianceImage | undefined,
  filename: string,
  there: readonly ImageFile[],
): Omit<FoundImage, 'slot' | 'filename'> => {
  const md5sum = sumOf(image);
  const named = there.find((one) => one.path === filename) ?? there.find((one) => one.filename === lastOf(filename));
  const same = md5sum === null ? named : there.find((one) => one.md5sum === md5sum);
  return {
    md5sum,
    filesize: image?.filesize ?? null,
    compression: image?.compression ?? null,
    download_url: webAddress(image?.download_url),
    direct_download_url: webAddress(image?.direct_download_url),
    found: same?.path ?? null,
    other_md5sum: same === undefined ? (named?.md5sum ?? null) : null,
  };
};

const lastOf = (filename: string): string => filename.split('/').at(-1) ?? filename;

/** Only MD5 checksums are compared; with others the name decides. */
const sumOf = (image: ApplianceImage | undefined): string | null => {
  const isMd5 = (image?.checksum_type ?? 'md5').toLowerCase() === 'md5';
  const sum = (image?.md5sum ?? (isMd5 ? image?.checksum : null) ?? '').trim().toLowerCase();
  return /^[0-9a-f]{32}$/.test(sum) ? sum : null;
};

/** Settings of a template that name images. */
const settingsOfImages = (kind: Kind, images: readonly FoundImage[]): Record<string, unknown> =>
  Object.fromEntries(
    images.flatMap(({ slot, filename, found, md5sum }) => {
      const field = kind.appliance?.slots[slot] ?? slot;
      const sumField = kind.images?.sum ?? `${field}_md5sum`;
      return [[field, found ?? filename] as const, ...(md5sum === null ? [] : [[sumField, md5sum] as const])];
    }),
  );

/** null: empty. */
const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** Addresses are shown as links, and other schemes could run scripts in the page. */
const webAddress = (value: unknown): string | null => {
  const text = textOf(value);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
};
