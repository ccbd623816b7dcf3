import type { MapScope } from '../map-scope.ts';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify } from '../../store/notices.ts';
import { t } from '../../words/words.ts';
import { copyText } from '../../ui/copy.ts';
import type { MapParts } from '../drag/moving.ts';
import { CLIPBOARD_TYPE, type Copied, copiedOf, pasteSteps, readCopied } from './clipboard.ts';
import { putGroups } from '../groups/group-actions.ts';
import { withGroup } from '../groups/groups.ts';
import { asEdit } from '../../undo/edits.ts';
import { newUuid } from '../../store/new-uuid.ts';
import { duplicateNode } from '../actions/node-actions.ts';
import { deleteChosen, postBatch } from '../actions/object-actions.ts';
import { readStartUps, readText } from '../actions/start-up.ts';

/** Copies of this page with what their nodes run at their start, which stands in files of theirs. */
const whole = new Map<string, Promise<Copied>>();
const MOST_KEPT = 4;

/** With the texts of the nodes' files; where those are not there any more, or on another server, without. */
const withTexts = async (lab: Lab, copied: Copied): Promise<Copied> => {
  const startUps = await readStartUps(lab.client);
  const nodes = await Promise.all(
    copied.nodes.map(async (node) => {
      const parts = await Promise.all(
        (startUps.get(String(node['node_type'])) ?? []).map(async ({ property, file }) => {
          const of = { project_id: copied.project_id, node_id: node.node_id };
          return [
            property,
            await readText(lab.client, of, file.replace('{node_id}', of.node_id)).catch(() => ''),
          ] as const;
        }),
      );
      const texts = Object.fromEntries(parts.filter(([, text]) => text !== ''));
      return { ...node, properties: { ...(node['properties'] as object | undefined), ...texts } };
    }),
  );
  return { ...copied, nodes };
};

/** Remembers a copy as a whole; what it says later is what it was. */
const keep = (lab: Lab, copied: Copied): Promise<Copied> => {
  const reading = withTexts(lab, copied).catch(() => copied);
  whole.set(copied.copy_id, reading);
  for (const id of [...whole.keys()].slice(0, -MOST_KEPT)) whole.delete(id);
  return reading;
};

type Copying = Pick<MapScope, 'copy' | 'paste' | 'duplicate' | 'onCopy' | 'onPaste'>;

export const createCopyPaste = (
  on: MapParts,
  { chosen, chosenIds, chooseIds }: Pick<MapScope, 'chosen' | 'chosenIds' | 'chooseIds'>,
): Copying => {
  const { lab, isReadOnly, isPast, canvas, pointer, now } = on;
  const copied = (): Copied | null => {
    const what = chosen();
    if (isPast || what.nodes.length + what.drawings.length === 0) return null;
    return copiedOf(now.current.view.records, what, newUuid());
  };
  const paste = createPaste(on, { chosenIds, chooseIds });
  const cut = async (what: Copied): Promise<void> => {
    const of = chosen();
    await keep(lab, what);
    await deleteChosen(lab, of);
  };
  return {
    copy: (isCut = false) => {
      const what = copied();
      if (what === null) return;
      void keep(lab, what);
      void copyText(JSON.stringify(what, null, 1), what.what).then(() => (isCut ? cut(what) : undefined));
    },
    paste: async (at) => {
      const what = await clipboardCopied();
      if (what !== null) await paste(what, at);
    },
    duplicate: () => {
      const what = copied();
      const { nodes, drawings } = chosen();
      const [only] = nodes;
      if (what === null || isReadOnly) return;
      // One alone is copied by the server, with all its files.
      if (only !== undefined && nodes.length + drawings.length === 1) void duplicateNode(lab, only);
      else void paste(what, null);
    },
    onCopy: (event) => {
      const what = copied();
      if (what === null || event.clipboardData === null) return;
      const text = JSON.stringify(what, null, 1);
      event.clipboardData.setData(CLIPBOARD_TYPE, text);
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
      if (event.type === 'cut' && !isReadOnly) void cut(what);
      else void keep(lab, what);
    },
    onPaste: (event) => {
      const given = event.clipboardData;
      const what = readCopied(given?.getData(CLIPBOARD_TYPE) || (given?.getData('text/plain') ?? ''));
      if (what === null) return;
      event.preventDefault();
      const at = pointer.current === null ? null : canvas.screenToFlowPosition(pointer.current);
      void paste(what, at);
    },
  };
};

/** Pastes, and selects what has come, unless something else was selected since. */
const createPaste = (
  { lab, isReadOnly }: MapParts,
  { chosenIds, chooseIds }: Pick<MapScope, 'chosenIds' | 'chooseIds'>,
): ((what: Copied, at: { x: number; y: number } | null) => Promise<void>) => {
  const selection = (): string => chosenIds().sort().join();
  /** Selected by the last paste. */
  let pasted = '';
  return async (what, at) => {
    if (isReadOnly) return;
    const before = selection();
    const ids = await pasteInto(lab, await (whole.get(what.copy_id) ?? withTexts(lab, what)), at);
    if (ids.length === 0) return;
    whenThere(lab, ids, () => {
      // A later selection stays.
      if (![before, pasted].includes(selection())) return;
      chooseIds(ids);
      pasted = [...ids].sort().join();
    });
  };
};

/** Calls once the feed has told of the objects and the map shows them. */
const whenThere = (lab: Lab, [first = '']: readonly string[], call: () => void): void => {
  const isThere = (): boolean => {
    const { nodes, drawings } = lab.state.get().records;
    return nodes.has(first) || drawings.has(first);
  };
  if (isThere()) return void setTimeout(call);
  const end = lab.state.subscribe(() => {
    if (!isThere()) return;
    end();
    setTimeout(call);
  });
};

/** Makes the objects again, all or nothing; answers the ids of the new ones, none when the server refuses. */
const pasteInto = async (
  lab: Lab,
  copied: Copied,
  at: { readonly x: number; readonly y: number } | null,
): Promise<readonly string[]> => {
  let made: readonly string[] = [];
  await attempt(() =>
    asEdit(lab, async (headers) => {
      const { steps, ids, groups } = pasteSteps(copied, { records: lab.state.get().records, at, newId: newUuid });
      if (steps.length === 0) return;
      await postBatch(lab, steps, headers);
      made = ids;
      if (groups.length > 0) await putGroups(lab, (now) => groups.reduce(withGroup, now), headers);
    }),
  );
  return made;
};

/** Text of another program is no fault; the browser may also keep the clipboard to itself. */
const clipboardCopied = async (): Promise<Copied | null> => {
  try {
    const copied = readCopied(await navigator.clipboard.readText());
    if (copied === null) notify('info', t('There is nothing of a lab in the clipboard.'));
    return copied;
  } catch {
    notify('info', t('The browser lets the page paste only by Ctrl+V.'));
    return null;
  }
};
