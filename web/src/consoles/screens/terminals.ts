import type { Client } from 'topolog/client';
import type { WorkbenchStore } from '../../store/workbench.ts';
import { keepSocket, type KeptSocket } from '../../store/following/kept-socket.ts';
import { createScreen, type Screen } from './screen.ts';

/** A console that is open: it goes on while its tab is behind another, and when it is moved to another pane. */
export interface OpenConsole {
  readonly screen: Screen;
  readonly link: KeptSocket;
}

const open = new WeakMap<WorkbenchStore, Map<string, OpenConsole>>();

const of = (workbench: WorkbenchStore): Map<string, OpenConsole> => {
  const known = open.get(workbench) ?? new Map<string, OpenConsole>();
  open.set(workbench, known);
  return known;
};

interface Wanted {
  readonly client: Client;
  readonly projectId: string;
  readonly nodeId: string;
  readonly label: string;
}

/** Types a text into the console of a node; false: it is not open, or not connected. */
export const sendTo = (workbench: WorkbenchStore, nodeId: string, text: string): boolean =>
  of(workbench).get(nodeId)?.link.send(text) ?? false;

/** The console of a node, opened where it is not open yet. */
export const consoleOf = (workbench: WorkbenchStore, wanted: Wanted): OpenConsole => {
  const consoles = of(workbench);
  const known = consoles.get(wanted.nodeId);
  if (known !== undefined) return known;
  const made = openConsole(wanted);
  consoles.set(wanted.nodeId, made);
  return made;
};

const openConsole = ({ client, projectId, nodeId, label }: Wanted): OpenConsole => {
  const screen = createScreen({ label });
  const { terminal } = screen;
  const url = client.socketUrl('/v2/projects/{project_id}/nodes/{node_id}/console/ws', {
    path: { project_id: projectId, node_id: nodeId },
  });
  const link = keepSocket({
    open: () => new WebSocket(url),
    onBytes: (bytes) => terminal.write(bytes),
    // A new connection sends the screen again, which would otherwise be there twice.
    onAgain: () => terminal.reset(),
  });
  terminal.onData((text) => void link.send(text));
  return { screen, link };
};

const holders = new WeakMap<WorkbenchStore, number>();

/** Somebody shows consoles; answers what ends that. Consoles whose panel is closed end then, and all when nobody shows any. */
export const holdConsoles = (workbench: WorkbenchStore): (() => void) => {
  const count = (change: 1 | -1): number => {
    const now = (holders.get(workbench) ?? 0) + change;
    holders.set(workbench, now);
    return now;
  };
  count(1);
  return () => {
    count(-1);
    // A view that shows the console elsewhere, or again, is mounted in the same turn.
    queueMicrotask(() => {
      const isShown = (holders.get(workbench) ?? 0) > 0;
      const panels = isShown ? workbench.get().panels : [];
      closeOthers(workbench, new Set(panels.flatMap((panel) => (panel.kind === 'console' ? [panel.nodeId] : []))));
    });
  };
};

const closeOthers = (workbench: WorkbenchStore, nodeIds: ReadonlySet<string>): void => {
  const consoles = of(workbench);
  for (const [nodeId, { screen, link }] of consoles) {
    if (nodeIds.has(nodeId)) continue;
    link.close();
    screen.dispose();
    consoles.delete(nodeId);
  }
};
