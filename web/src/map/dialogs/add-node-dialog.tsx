import { type ReactElement, type SubmitEvent, useEffect, useState } from 'react';
import type { Schemas } from 'topolog/client';
import { useScope } from '../../app/lab-context.tsx';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify, sentenceOf } from '../../store/notices.ts';
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
/** Pixels between nodes that are added together. */
const STEP = 110;

/** Offers the server's templates, and adds nodes of one. */
export const AddNodeDialog = ({ at, onClose }: { at: Point; onClose: () => void }): ReactElement => {
  const { lab } = useScope();
  const [templates, setTemplates] = useState<readonly Template[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sought, setSought] = useState('');
  const [count, setCount] = useState('1');
  const missing = useMissingEngines();
  useEffect(() => {
    lab.client.get('/v2/templates').then(setTemplates, (error: unknown) => setProblem(sentenceOf(error)));
  }, [lab]);
  const shown = (templates ?? []).filter((one) => one.name.toLowerCase().includes(sought.trim().toLowerCase()));
  const add = (template: Template): void => {
    const wanted = Math.min(MOST_AT_ONCE, Math.max(1, Number.parseInt(count, 10) || 1));
    onClose();
    void attempt(() => addNodes(lab, template, at, wanted));
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

/** In rows and columns. */
const addNodes = async (lab: Lab, { template_id }: Template, at: Point, count: number): Promise<void> => {
  const columns = Math.ceil(Math.sqrt(count));
  for (let index = 0; index < count; index++) {
    const x = Math.round(at.x + (index % columns) * STEP);
    const y = Math.round(at.y + Math.floor(index / columns) * STEP);
    const { name } = await lab.client.post('/v2/projects/{project_id}/templates/{template_id}', {
      path: { project_id: lab.projectId, template_id },
      body: { x, y },
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
        {missing !== undefined && <span className="note warning-text">Cannot run here yet: {missing}</span>}
      </span>
    </Button>
  );
};

/** By kind: what is to be installed before one of it can be started. Kinds that can run are not in it. */
const useMissingEngines = (): ReadonlyMap<string, string> => {
  const { lab } = useScope();
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    lab.client.get('/v2/compute/capabilities').then(
      ({ engines = [] }) => setMissing(missingOf(engines)),
      // The list is of use without it.
      () => undefined,
    );
  }, [lab]);
  return missing;
};

const missingOf = (engines: NonNullable<Schemas['Capabilities']['engines']>): ReadonlyMap<string, string> => {
  const missing = new Map<string, string>();
  for (const { node_type, missing: needs } of engines)
    if (needs !== null && !missing.has(node_type)) missing.set(node_type, needs.install);
  for (const { node_type, available, engine } of engines)
    if (available && engine !== 'simulated') missing.delete(node_type);
  return missing;
};
