import { Readable } from 'node:stream';
import type { Upload } from '../../../src/actors/commands.ts';
import { disk, ROOT } from '../disk.ts';
import { type Chooser, nodeOf, pick } from './links.ts';
import { MOST_PROJECTS, type Choice, type Operation } from './operations.ts';

/** What clients bring as files, and labs that are made of files. */

/** Few, so that an older content could come back over a newer one. */
const NAMES = ['one', 'two', 'three'];
const MOST_OCTETS = 3_000;

const uploadOf = (bytes: Buffer): Upload => ({ content: Readable.from([bytes]), limit: 1e6 });

/** As a client has seen in a list. */
const isThere = (name: string): boolean => disk().find(`${ROOT}/data/${name}`) !== null;

/** Unlike any other. */
const contentOf = ({ world, name }: Choice): Buffer =>
  Buffer.from(`${name()}${'x'.repeat(world.random.below(MOST_OCTETS))}`);

export const writeFile: Chooser = (choice, project) => {
  const bytes = contentOf(choice);
  const { project_id } = project;
  const node = choice.world.chance(0.5) ? nodeOf(choice, project) : undefined;
  const name = `${pick(choice.world, NAMES)}.txt`;
  return {
    what: `write ${name} of ${node?.name ?? 'the project'}`,
    run: (c, by) => c.writeFile(by, { project_id, node_id: node?.node_id ?? null, name }, uploadOf(bytes)),
    events: ['file.written'],
  };
};

export const image: Chooser = (choice) => {
  const bytes = contentOf(choice);
  const name = `${pick(choice.world, NAMES)}.img`;
  if (isThere(`images/programs/${name}`) && choice.world.chance(0.5))
    return { what: `delete ${name}`, run: (c, by) => c.deleteImage(by, 'program', name), events: ['image.deleted'] };
  return {
    what: `upload ${name}`,
    run: (c, by) => c.writeImage(by, 'program', name, uploadOf(bytes)),
    events: ['image.uploaded'],
  };
};

export const symbol: Chooser = ({ world, name }) => {
  const file = `${pick(world, NAMES)}.svg`;
  if (isThere(`symbols/${file}`) && world.chance(0.5))
    return { what: `delete ${file}`, run: (c, by) => c.deleteSymbol(by, file), events: ['symbol.deleted'] };
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><desc>${name()}</desc></svg>`);
  return { what: `store ${file}`, run: (c, by) => c.storeSymbol(by, file, svg), events: ['symbol.stored'] };
};

export const licence: Chooser = ({ world, name }) => {
  const iourc_content = world.chance(0.3) ? '' : name();
  return {
    what: `licence ${iourc_content}`,
    run: (c, by) => c.changeKindSetting(by, 'program', { iourc_content }),
  };
};

/** A lab that comes of what another one has: the same, as it was, or from its file. Archives are read by what is not simulated. */
export const copyLab: Chooser = ({ world, records, name }, { project_id, path, filename, changed, created }) => {
  if (records.projects().length > MOST_PROJECTS) return null;
  const events = ['project.created'] as const;
  return pick<Operation>(world, [
    { what: 'duplicate project', run: (c, by) => c.duplicateProject(by, project_id, { name: null }), events },
    {
      what: 'fork project',
      run: (c, by) => {
        const at = String(created + world.random.below(changed - created + 1));
        return c.forkProject(by, project_id, { name: name(), ...(world.chance(0.5) ? { at } : {}) });
      },
      events,
    },
    {
      what: 'load project',
      run: (c, by) => c.loadProject(by, copyOfFile(`${path}/${filename}`, name()), { new_id: true }),
      events,
    },
  ]);
};

/** What a person does at the machine itself: it takes no time. */
const copyOfFile = (from: string, name: string): string => {
  const bytes = disk().find(from)?.bytes ?? Buffer.alloc(0);
  const labs = `${ROOT}/labs`;
  for (const directory of [labs, `${labs}/${name}`])
    if (disk().find(directory) === null) disk().mkdir(directory, 0o755);
  const file = `${labs}/${name}/lab.gns3`;
  const { ino } = disk().create(file, 0o644);
  if (!disk().full) disk().write(ino, 0, bytes);
  return file;
};
