import { type PointerEvent, useMemo } from 'react';
import { useReactFlow } from '@xyflow/react';
import { useScope } from '../../app/lab-context.tsx';
import type { Lab } from '../../store/lab.ts';
import { attempt } from '../../store/notices.ts';
import { asEdit } from '../../undo/edits.ts';

/** Pixels of the screen until it is a drag, not a press. */
const THRESHOLD = 3;

/** The label being dragged, and how its place is sent to the server. Pixels of the map. */
interface Held {
  readonly element: HTMLElement | SVGElement;
  readonly drop: (dx: number, dy: number) => Promise<unknown>;
}

/** Moves the names of nodes and of ports, which have places of their own. No state: what moves is the element itself. */
export const useLabelDrag = (isReadOnly: boolean): ((event: PointerEvent) => void) => {
  const { lab } = useScope();
  const canvas = useReactFlow();
  return useMemo(
    () => (event: PointerEvent) => {
      if (isReadOnly || event.button !== 0 || !(event.target instanceof Element)) return;
      const held = heldBy(lab, event.target);
      if (held === null) return;
      const start = { x: event.clientX, y: event.clientY };
      const before = held.element.style.translate;
      let by = { x: 0, y: 0 };
      const move = ({ clientX, clientY }: globalThis.PointerEvent): void => {
        const [x, y] = [clientX - start.x, clientY - start.y];
        if (by.x === 0 && by.y === 0 && Math.hypot(x, y) < THRESHOLD) return;
        const zoom = canvas.getZoom();
        by = { x: x / zoom, y: y / zoom };
        held.element.style.translate = `${by.x}px ${by.y}px`;
      };
      const end = (): void => {
        removeEventListener('pointermove', move);
        removeEventListener('pointerup', end);
        removeEventListener('pointercancel', end);
        if (by.x === 0 && by.y === 0) return;
        // The record's place comes with the feed, at about the same time as the answer.
        void attempt(() => held.drop(Math.round(by.x), Math.round(by.y))).then(() =>
          requestAnimationFrame(() => {
            held.element.style.translate = before;
          }),
        );
      };
      addEventListener('pointermove', move);
      addEventListener('pointerup', end);
      addEventListener('pointercancel', end);
    },
    [lab, canvas, isReadOnly],
  );
};

const heldBy = (lab: Lab, target: Element): Held | null => {
  const { nodes, links } = lab.state.get().records;
  const id = target.closest('[data-id]')?.getAttribute('data-id') ?? '';
  const name = target.closest<HTMLElement>('.node-label');
  const node = nodes.get(id);
  if (name !== null && node !== undefined && !node.locked) return { element: name, drop: dropName(lab, id, name) };
  const port = target.closest<SVGElement>('.port-label');
  const link = links.get(id);
  if (port === null || link === undefined) return null;
  const index = [...(port.parentElement?.querySelectorAll('.port-label') ?? [])].indexOf(port);
  return { element: port, drop: dropPort(lab, id, index) };
};

/** A name without a place of its own stands in the middle: its place is what is seen. */
const dropName =
  (lab: Lab, node_id: string, element: HTMLElement) =>
  async (dx: number, dy: number): Promise<void> => {
    const node = lab.state.get().records.nodes.get(node_id);
    if (node === undefined) return;
    const { label } = node;
    const left = label.x ?? Math.round((node.width - element.offsetWidth) / 2);
    const top = label.y ?? element.offsetTop;
    await asEdit(lab, (headers) =>
      lab.client.put('/v2/projects/{project_id}/nodes/{node_id}', {
        path: { project_id: lab.projectId, node_id },
        headers,
        body: { label: { ...label, x: left + dx, y: top + dy } },
      }),
    );
  };

const dropPort =
  (lab: Lab, link_id: string, index: number) =>
  async (dx: number, dy: number): Promise<void> => {
    const link = lab.state.get().records.links.get(link_id);
    if (link === undefined) return;
    const nodes = link.nodes.map(({ node_id, label }, at) => ({
      node_id,
      label:
        at === index ? { ...label, x: Math.round((label.x ?? 0) + dx), y: Math.round((label.y ?? 0) + dy) } : label,
    }));
    await asEdit(lab, (headers) =>
      lab.client.put('/v2/projects/{project_id}/links/{link_id}', {
        path: { project_id: lab.projectId, link_id },
        headers,
        body: { nodes },
      }),
    );
  };
