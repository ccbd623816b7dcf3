import { type ReactElement, type SubmitEvent, useEffect, useState } from 'react';
import type { Client, Schemas } from 'topolog/client';
import { useScope, useView } from '../../app/lab-context.tsx';
import { defaultComputeOf, readEngines } from '../../computes/calls.ts';
import { byKind } from '../../computes/engines-by-kind.ts';
import { AUTO, type Engine, isHere } from '../../computes/records.ts';
import { followComputes } from '../../computes/follow.ts';
import { useComputes } from '../../computes/use-computes.ts';
import { WhereField } from '../../computes/where-field.tsx';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify, sentenceOf } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useSymbol } from '../flow/symbols.ts';

type Template = Schemas['Template'];
interface Point {
  readonly x: number;
  readonly y: number;
}

const MOST_AT_ONCE = 50;
const NOTHING: ReadonlyMap<string, string> = new Map();
/** Pixels between nodes that are added together. */
const STEP = 110;

/** Offers the server's templates, and adds nodes of one where it is asked for. */
export const AddNodeDialog = ({ at, onClose }: { at: Point; onClose: () => void }): ReactElement => {
  const { lab } = useScope();
  const [templates, setTemplates] = useState<readonly Template[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sought, setSought] = useState('');
  const [count, setCount] = useState('1');
  const { where, setWhere, computes } = useWhere();
  const missing = useMissingEngines(where);
  useEffect(() => {
    lab.client.get('/v2/templates').then(setTemplates, (error: unknown) => setProblem(sentenceOf(error)));
  }, [lab]);
  const shown = (templates ?? []).filter((one) => one.name.toLowerCase().includes(sought.trim().toLowerCase()));
  const add = (template: Template): void => {
    const wanted = Math.min(MOST_AT_ONCE, Math.max(1, Number.parseInt(count, 10) || 1));
    onClose();
    void attempt(() =>
      withComputes(lab.client, () => addNodes(lab, { template_id: template.template_id, where }, at, wanted)),
    );
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const [first] = shown;
    if (first !== undefined) add(first);
  };
  return (
    <Dialog title="Add a node" onClose={onClose} wide>
      <form className="row spread" onSubmit={submit}>
        <TextField label="Search" type="search" value={sought} onChange={setSought} />
        <TextField label="How many" type="number" min={1} max={MOST_AT_ONCE} value={count} onChange={setCount} />
        {where !== null && <WhereField label="Where" computes={computes} value={where} onChange={setWhere} />}
        {/* With two fields, Enter needs something that submits. */}
        <button type="submit" hidden />
      </form>
      {problem !== null && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <ul className="template-list">
        {shown.map((template) => (
          <li key={template.template_id}>
            <TemplateButton
              template={template}
              missing={missing.get(template.template_type)}
              onChoose={() => add(template)}
            />
          </li>
        ))}
      </ul>
      {templates !== null && shown.length === 0 && <p className="note">No template has this name.</p>}
    </Dialog>
  );
};

/** Where new nodes go: as the project has it. Null while there is nothing to choose: the template says it. */
const useWhere = () => {
  const { lab } = useScope();
  const project = useView().records.project;
  const { computes } = useStore(useComputes(lab.client));
  const [chosen, setWhere] = useState<string | null>(null);
  const usual = defaultComputeOf(project);
  return { where: chosen ?? (computes.length > 1 || !isHere(usual) ? usual : null), setWhere, computes };
};

/** Images that go along are shown. */
const withComputes = async (client: Client, work: () => Promise<void>): Promise<void> => {
  const { close } = followComputes(client);
  try {
    await work();
  } finally {
    close();
  }
};

interface Wish {
  readonly template_id: string;
  /** Null: the template says it. */
  readonly where: string | null;
}

/** In rows and columns. */
const addNodes = async (lab: Lab, { template_id, where }: Wish, at: Point, count: number): Promise<void> => {
  const columns = Math.ceil(Math.sqrt(count));
  for (let index = 0; index < count; index++) {
    const x = Math.round(at.x + (index % columns) * STEP);
    const y = Math.round(at.y + Math.floor(index / columns) * STEP);
    const { name } = await lab.client.post('/v2/projects/{project_id}/templates/{template_id}', {
      path: { project_id: lab.projectId, template_id },
      body: { x, y, ...(where === null ? {} : { compute_id: where }) },
    });
    if (count === 1) notify('success', `${name} was added.`);
  }
  if (count > 1) notify('success', `${count} nodes were added.`);
};

const TemplateButton = (props: {
  template: Template;
  missing: string | undefined;
  onChoose: () => void;
}): ReactElement => {
  const { template, missing, onChoose } = props;
  const { lab } = useScope();
  const picture = useSymbol(lab.client, template.symbol);
  return (
    <Button className="template" onClick={onChoose}>
      {picture === null ? <span className="no-picture" /> : <img src={picture} alt="" width={40} height={40} />}
      <span className="template-text">
        <strong>{template.name}</strong>
        <span className="note">{template.category}</span>
        {missing !== undefined && <span className="note warning-text">Cannot run there yet: {missing}</span>}
      </span>
    </Button>
  );
};

/** By kind: what is to be installed at a compute before one of it can be started. Kinds that can run are not in it. */
const useMissingEngines = (where: string | null): ReadonlyMap<string, string> => {
  const { lab } = useScope();
  const [missing, setMissing] = useState(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    enginesAt(lab.client, where, ending.signal).then(
      (engines) => setMissing(new Map(byKind(engines).missing.map(({ kind, install }) => [kind, install]))),
      () => {
        // The list is of use without it.
        if (!ending.signal.aborted) setMissing(NOTHING);
      },
    );
    return () => ending.abort();
  }, [lab, where]);
  return missing;
};

/** What is best is chosen among those that can run it. */
const enginesAt = async (client: Client, where: string | null, signal: AbortSignal): Promise<readonly Engine[]> => {
  if (where === AUTO) return [];
  if (where !== null && !isHere(where)) return readEngines(client, where, signal);
  return (await client.get('/v2/compute/capabilities', { signal })).engines ?? [];
};
