import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import type { Node, Port, Records } from '../../store/records.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { t } from '../../words/words.ts';
import { linkEnds, makeLink } from '../actions/links.ts';
import { type FreePort, freePorts, linkable, portsInUse } from '../actions/ports.ts';

interface Props {
  readonly from: string | null;
  readonly to: string | null;
  /** The end that is not known is one of these. */
  readonly among: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** Makes a link at ports that somebody selects: only ports that are free and fit each other are offered. */
export const LinkDialog = ({ from, to, among, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [chosen, setChosen] = useState({ from, to, fromPort: '', toPort: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const { source, target } = endsOf(records, { ...chosen, among: limitOf(from, among) });
  const nodes = linkNodes(source, target);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (nodes === null) return;
    makeLink(lab, nodes).then(onClose, (error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <Dialog title={t('New link')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <SelectField
          label={t('From')}
          value={source.node?.node_id ?? ''}
          options={optionsOf(source.nodes)}
          onChange={(id) => setChosen({ ...chosen, from: id, fromPort: '', toPort: '' })}
        />
        <SelectField
          label={t('Port')}
          value={source.port?.key ?? ''}
          options={source.ports.map(({ key, port }) => ({ value: key, text: port.name }))}
          onChange={(fromPort) => setChosen({ ...chosen, fromPort, toPort: '' })}
        />
        <SelectField
          label={t('To')}
          value={target.node?.node_id ?? ''}
          options={optionsOf(target.nodes)}
          onChange={(id) => setChosen({ ...chosen, to: id, toPort: '' })}
        />
        <SelectField
          label={t('Port there')}
          value={target.port?.key ?? ''}
          options={target.ports.map(({ key, port }) => ({ value: key, text: port.name }))}
          onChange={(toPort) => setChosen({ ...chosen, toPort })}
        />
        {nodes === null && (
          <p className="problem">{t('There are no two nodes with free ports that fit each other.')}</p>
        )}
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" disabled={nodes === null} data-first>
            {t('Create link')}
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

/** Which nodes one of the ends can have. */
type Limit = Partial<Record<'from' | 'to', ReadonlySet<string>>>;

const limitOf = (from: string | null, among: readonly string[] | undefined): Limit =>
  among === undefined ? {} : { [from === null ? 'from' : 'to']: new Set(among) };

interface Chosen {
  readonly among: Limit;
  readonly from: string | null;
  readonly fromPort: string;
  readonly to: string | null;
  readonly toPort: string;
}

const endsOf = (records: Records, { from, fromPort, to, toPort, among }: Chosen): { source: End; target: End } => {
  const used = portsInUse(records.links.values());
  /** Port that was asked for, if it can be had; else the first. */
  const end = (nodes: readonly Node[], id: string | null, key: string, other?: Port): End => {
    const node = nodes.find(({ node_id }) => node_id === id) ?? nodes[0];
    const ports = node === undefined ? [] : freePorts(node, used, other);
    return { nodes, node, ports, port: ports.find((one) => one.key === key) ?? ports[0] };
  };
  const within = (nodes: Node[], limit: ReadonlySet<string> | undefined): Node[] =>
    limit === undefined ? nodes : nodes.filter(({ node_id }) => limit.has(node_id));
  const source = end(within(linkable(records, used), among.from), from, fromPort);
  const { node, port: { port } = {} } = source;
  const others = node === undefined ? [] : linkable(records, used, { node, port });
  const target = end(within(others, among.to), to, toPort, port);
  return { source, target };
};

/** Null: there are no two ends. */
const linkNodes = (source: End, target: End): ReturnType<typeof linkEnds>['nodes'] | null =>
  source.node === undefined || source.port === undefined || target.node === undefined || target.port === undefined
    ? null
    : linkEnds([
        { node: source.node, port: source.port.port },
        { node: target.node, port: target.port.port },
      ]).nodes;

const optionsOf = (nodes: readonly Node[]): { value: string; text: string }[] =>
  nodes.map(({ node_id, name }) => ({ value: node_id, text: name }));
