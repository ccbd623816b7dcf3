import { reporting } from '../../common/errors.ts';
import { hasSecrets } from '../../common/lab-secrets/texts.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import type { NodeRecord, ProjectRecord, TemplateRecord } from '../../projections/records.ts';
import { draft, type LabContext, SYSTEM_CALLER } from '../context.ts';

const DAY_MS = 24 * 3_600_000;

type Holder = NodeRecord | ProjectRecord | TemplateRecord;

/** Parts of a record that may have secrets, as an event changes them. */
const partsOf = (record: Holder): object => {
  if ('template_id' in record && 'settings' in record) return { settings: record.settings };
  if (!('node_id' in record)) return { variables: record.variables };
  const { properties, texts, extra, as_read } = record;
  return {
    ...{ properties, extra },
    ...(texts === undefined ? {} : { texts }),
    ...(as_read === undefined ? {} : { as_read }),
  };
};

/** Takes secrets out of the records of an earlier version, and removes those that nothing has referred to for long. */
export class LabSecretSweep {
  readonly #context: LabContext;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: LabContext) {
    this.#context = context;
  }

  async begin(): Promise<void> {
    this.stop();
    await this.#seal();
    const sweep = (): void => void this.#sweep().catch(reporting(this.#context.logger, {}, 'secrets'));
    this.#timer = setInterval(sweep, DAY_MS).unref();
    sweep();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  *#holders(): Steps<[Holder, object][]> {
    const { pending } = this.#context;
    const holders: [Holder, object][] = [];
    const add = (record: Holder): void => void holders.push([record, partsOf(record)]);
    for (const template of pending.ofServer('template')) add(template);
    for (const project of pending.projects()) {
      add(project);
      for (const node of pending.ofProject('node', project.project_id)) add(node);
      yield;
    }
    return holders;
  }

  /** Events with the same values: the log puts references in the place of secrets. */
  async #seal(): Promise<void> {
    const { log, logger } = this.#context;
    const holders = await inSlices(this.#holders());
    const plain = holders.filter(([, parts]) => hasSecrets(parts));
    if (plain.length === 0) return;
    await log.append(plain.map(([record, changes]) => changeOf(record, changes)));
    logger.warn(
      `secrets were taken out of ${plain.length} records; events of an earlier version still have them, and topolog verify says of which labs`,
    );
  }

  async #sweep(): Promise<void> {
    const { log, secrets, pending } = this.#context;
    if (!log.writable || secrets.isEmpty) return;
    const holders = await inSlices(this.#holders());
    // A snapshot has the records of an earlier moment, and no record refers to what is in files.
    const hasFiles = ({ text_files = [] }: NodeRecord): boolean => text_files.length > 0;
    const kept = pending
      .projects()
      .filter(
        ({ project_id: id }) => pending.count('snapshot', id) > 0 || pending.ofProject('node', id).some(hasFiles),
      );
    await secrets.sweep(
      holders.map(([, parts]) => JSON.stringify(parts)),
      new Set(kept.map(({ project_id }) => project_id)),
    );
  }
}

const changeOf = (record: Holder, changes: object): ReturnType<typeof draft> => {
  if ('settings' in record) {
    const { template_id } = record;
    return draft(SYSTEM_CALLER, null, 'template.updated', { template_id, changes });
  }
  const { project_id } = record;
  if (!('node_id' in record)) return draft(SYSTEM_CALLER, project_id, 'project.updated', { project_id, changes });
  const { node_id } = record;
  return draft(SYSTEM_CALLER, project_id, 'node.updated', { node_id, project_id, changes });
};
