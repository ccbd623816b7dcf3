import { openCell } from '../../src/events/open-cell.ts';
import { messageOf } from '../../src/common/errors.ts';

// A process that has the lease of a cell, for tests that stop it: `lease-owner URL CELL MILLISECONDS`. It says when it has it and when it
// has lost it, and writes what it is sent.
const [log = '', name = '', ms = ''] = process.argv.slice(2);
const tell = (told: Record<string, unknown>): void => void process.send?.(told);

const cell = await openCell({ log, name, key: null, leaseMs: Number(ms), create: false });
const lease = await cell.take({ owner: 'stopped', url: '' });
if (lease === null) throw new Error('another process has the lease');
const store = await lease.open();
lease.lost.addEventListener('abort', () => tell({ lost: messageOf(lease.lost.reason) }));
process.on('message', (value: string) => {
  store.batch([{ type: 'put', key: 'r/stopped', value }], { sync: true }).then(
    () => tell({ written: value }),
    (error: unknown) => tell({ refused: messageOf(error), code: (error as { code?: string }).code }),
  );
});
tell({ epoch: lease.epoch });
