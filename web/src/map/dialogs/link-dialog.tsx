import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { freePorts, linkable, portsInUse } from '../actions/ports.ts';

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
  const used = portsInUse(records.links.values());
  const sources = linkable(records, used);
  const source = pick(sources, chosen.from);
  const sourcePorts = source === undefined ? [] : freePorts(source, used);
  const sourcePort = sourcePorts.find(({ key }) => key === chosen.fromPort) ?? sourcePorts[0];
  const targets = source === undefined ? [] : linkable(records, used, { node: source, port: sourcePort?.port });
  const target = pick(targets, chosen.to);
  const targetPorts = target === undefined ? [] : freePorts(target, used, sourcePort?.port);
  const targetPort = targetPorts.find(({ key }) => key === chosen.toPort) ?? targetPorts[0];
  const isReady = source !== undefined && target !== undefined && sourcePort !== undefined && targetPort !== undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const ends = [
      { node: source, port: sourcePort.port },
      { node: target, port: targetPort.port },
    ] as const;
    const nodes = ends.map(({ node, port }, index) => ({
      node_id: node.node_id,
      adapter_number: port.adapter_number,
      port_number: port.port_number,
      label: { text: port.short_name, ...labelPlace(node, ends[1 - index]?.node ?? node) },
    }));
    lab.client
      .post('/v2/projects/{project_id}/links', { path: { project_id: lab.projectId }, body: { nodes } })
      .then(onClose, (error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <Dialog title="New link" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <SelectField
          label="From"
          value={source?.node_id ?? ''}
          options={optionsOf(sources)}
          onChange={(id) => setChosen({ ...chosen, from: id, fromPort: '', toPort: '' })}
        />
        <SelectField
          label="Port"
          value={sourcePort?.key ?? ''}
          options={sourcePorts.map(({ key, port }) => ({ value: key, text: port.name }))}
          onChange={(fromPort) => setChosen({ ...chosen, fromPort, toPort: '' })}
        />
        <SelectField
          label="To"
          value={target?.node_id ?? ''}
          options={optionsOf(targets)}
          onChange={(id) => setChosen({ ...chosen, to: id, toPort: '' })}
        />
        <SelectField
          label="Port there"
          value={targetPort?.key ?? ''}
          options={targetPorts.map(({ key, port }) => ({ value: key, text: port.name }))}
          onChange={(toPort) => setChosen({ ...chosen, toPort })}
        />
        {!isReady && <p className="problem">There are no two nodes with free ports that fit each other.</p>}
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!isReady} data-first>
            Draw link
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/** The one that was asked for, if it can be had; else the first. */
const pick = (nodes: readonly Node[], id: string | null): Node | undefined =>
  nodes.find(({ node_id }) => node_id === id) ?? nodes[0];

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
