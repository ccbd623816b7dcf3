import { invalid } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { Appliance, Here, Section, VersionOfAppliance } from './appliance.ts';
import { imagesOfVersion, settingsOfImages } from './images.ts';
import { type ApplianceFile, applianceFile, type ApplianceVersion } from './schema.ts';
import { templateOf } from './template.ts';
import { textOf, webAddress } from './texts.ts';

/** Throws `invalid_request`, which names the field. */
export const parseAppliance = (content: unknown): ApplianceFile => {
  const { data, error } = applianceFile.safeParse(content);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw invalid(`${field === '' ? 'the appliance' : field}: ${issue?.message ?? 'is not valid'}`, { field });
};

/** The kinds whose images it may name. Throws `invalid_request` for a file without any. */
export const kindsOfAppliance = (file: ApplianceFile, kinds: Here['kinds']): Kind[] => [
  ...new Set(sectionsOf(file, kinds).map(({ kind }) => kind)),
];

/** Pure. Throws `invalid_request`. */
export const readAppliance = (file: ApplianceFile, here: Here): Appliance => {
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

const sectionsOf = (file: ApplianceFile, kinds: Here['kinds']): [Section, ...Section[]] => {
  const [first, ...others] = file.settings == null ? emulatorsOf(file, kinds) : settingsOf(file.settings, kinds);
  if (first === undefined) throw invalid(`it has none of the sections ${names(kinds)}`, { field: names(kinds) });
  if (file.settings == null && others.length > 0)
    throw invalid(`it has more than one of the sections ${names(kinds)}`, { field: others[0]?.kind.alias ?? '' });
  return [first, ...others];
};

const names = (kinds: Here['kinds']): string =>
  withForm(kinds)
    .map(({ alias }) => alias)
    .join(', ');
const withForm = (kinds: Here['kinds']): Kind[] => kinds.all().filter(({ appliance }) => appliance !== undefined);

const emulatorsOf = (file: ApplianceFile, kinds: Here['kinds']): Section[] =>
  withForm(kinds).flatMap((kind): Section[] => {
    const section = file[kind.alias];
    if (section === undefined || section === null) return [];
    if (typeof section !== 'object' || Array.isArray(section))
      throw invalid(`${kind.alias}: must be an object`, { field: kind.alias });
    return [{ kind, properties: { ...section } }];
  });

const settingsOf = (sets: NonNullable<ApplianceFile['settings']>, kinds: Here['kinds']): Section[] => {
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
  // The default one first.
  const first = base === undefined ? 0 : sets.indexOf(base);
  return [...made.slice(first, first + 1), ...made.slice(0, first), ...made.slice(first + 1)];
};

const sectionFor = (sections: [Section, ...Section[]], version: ApplianceVersion | null): Section =>
  sections.find(({ name }) => name !== undefined && name === version?.settings) ?? sections[0];

const versionOf = (
  file: ApplianceFile,
  version: ApplianceVersion | null,
  section: Section,
  here: Here,
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
