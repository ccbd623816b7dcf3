import { reporting } from '../../common/errors.ts';
import { lastWriter } from '../../events/read.ts';
import type { LabContext } from '../context.ts';
import { Mailbox } from '../../common/mailbox.ts';
import { keptIds } from './recover.ts';
import { sweepOutside } from './sweep-outside.ts';

/** After them what ran here may run elsewhere, or not at all. */
const CHANGES: ReadonlySet<string> = new Set([
  'server.took_over',
  'server.started',
  'node.lost',
  'node.stopped',
  'node.deleted',
  'project.closed',
  'project.deleted',
]);

/**
 * For a server that stands by: ends what runs here and is no longer its own, now and whenever the records change so. Nodes that were left
 * to it when another server took over go on, and until that one has said so all of them do.
 */
export const endForeign = (context: LabContext): void => {
  const { log, plumbing, logger, settings } = context;
  const { id } = settings.server;
  const sweeps = new Mailbox();
  const sweep = (): void => {
    // One that waits sees what comes meanwhile.
    if (sweeps.size > 1) return;
    const all = async (): Promise<void> => {
      const writer = await lastWriter(log.store);
      if (writer.server === id || writer.position > log.status().position) return;
      await plumbing.sweep(() => keptIds(context, id));
      await sweepOutside(context, id);
    };
    void sweeps.run(all).catch(reporting(logger, {}, 'what runs elsewhere could not be ended here'));
  };
  log.onCommitted((events) => {
    if (events.some(({ type }) => CHANGES.has(type))) sweep();
  });
  sweep();
};
