import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import type { Node, Port, Records } from '../../store/records.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { type FreePort, freePorts, linkable, portsInUse } from '../actions/ports.ts';

interface Props {
  readonly from: string | null;
  readonly to: string | null;
  readonly onClose: () => void;
}

/** Draws a link: only ports that are free and fit each other are offered. */
export const LinkDialog = ({ from, to, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [chosen, setChosen] = useState({ from, to, fromPort: '', toPort: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const { source, target } = endsOf(records, chosen);
  const nodes = linkNodes(source, target);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (nodes === null) return;
    lab.client
      .post('/v2/projects/{project_id}/links', { path: { project_id: lab.projectId }, body: { nodes } })
      .then(onClose, (error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <Dialog title="New link" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <SelectField
          label="From"
          value={source.node?.node_id ?? ''}
          options={optionsOf(source.nodes)}
          onChange={(id) => setChosen({ ...chosen, from: id, fromPort: '', toPort: '' })}
        />
        <SelectField
          label="Port"
          value={source.port?.key ?? ''}
          options={source.ports.map(({ key, port }) => ({ value: key, text: port.name }))}
          onChange={(fromPort) => setChosen({ ...chosen, fromPort, toPort: '' })}
        />
        <SelectField
          label="To"
          value={target.node?.node_id ?? ''}
          options={optionsOf(target.nodes)}
          onChange={(id) => setChosen({ ...chosen, to: id, toPort: '' })}
        />
        <SelectField
          label="Port there"
          value={target.port?.key ?? ''}
          options={target.ports.map(({ key, port }) => ({ value: key, text: port.name }))}
          onChange={(toPort) => setChosen({ ...chosen, toPort })}
        />
        {nodes === null && <p className="problem">There are no two nodes with free ports that fit each other.</p>}
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={nodes === null} data-first>
            Draw link
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/** One end of a link: what can be chosen, and what is. */
interface End {
  readonly nodes: readonly Node[];
  readonly node: Node | undefined;
  readonly ports: readonly FreePort[];
  readonly port: FreePort | undefined;
}

interface Chosen {
  readonly from: string | null;
  readonly fromPort: string;
  readonly to: string | null;
  readonly toPort: string;
}

const endsOf = (records: Records, { from, fromPort, to, toPort }: Chosen): { source: End; target: End } => {
  const used = portsInUse(records.links.values());
  /** What was asked for, if it can be had; else the first. */
  const end = (nodes: readonly Node[], id: string | null, key: string, other?: Port): End => {
    const node = nodes.find(({ node_id }) => node_id === id) ?? nodes[0];
    const ports = node === undefined ? [] : freePorts(node, used, other);
    return { nodes, node, ports, port: ports.find((one) => one.key === key) ?? ports[0] };
  };
  const source = end(linkable(records, used), from, fromPort);
  const { node, port: { port } = {} } = source;
  const target = end(node === undefined ? [] : linkable(records, used, { node, port }), to, toPort, port);
  return { source, target };
};

/** Null: there are no two ends. */
const linkNodes = (source: End, target: End) => {
  const ends = [source, target].flatMap(({ node, port }) =>
    node === undefined || port === undefined ? [] : [{ node, port: port.port }],
  );
  if (ends.length < 2) return null;
  return ends.map(({ node, port }, index) => ({
    node_id: node.node_id,
    adapter_number: port.adapter_number,
    port_number: port.port_number,
    label: { text: port.short_name, ...labelPlace(node, ends[1 - index]?.node ?? node) },
  }));
};

const optionsOf = (nodes: readonly Node[]): { value: string; text: string }[] =>
  nodes.map(({ node_id, name }) => ({ value: node_id, text: name }));

/** Where the name of a port stands: a little outside of the node, towards the other one. */
const labelPlace = (node: Node, other: Node): { x: number; y: number } => {
  const dx = other.x - node.x;
  const dy = other.y - node.y;
  const length = Math.hypot(dx, dy) || 1;
  const reach = Math.max(node.width, node.height) / 2 + 12;
  return {
    x: Math.round(node.width / 2 + (dx / length) * reach),
    y: Math.round(node.height / 2 + (dy / length) * reach - 8),
  };
};
