import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { unreachableOf } from '../computes/records.ts';
import { suspendLink } from '../map/actions/object-actions.ts';
import { sentenceOf } from '../store/notices.ts';
import type { Link } from '../store/records.ts';
import { openSheet } from '../store/workbench.ts';
import { brief } from '../timeline/sentences/subject.ts';
import { Button } from '../ui/button.tsx';
import { SwitchField } from '../ui/field.tsx';
import { CaptureSection } from './capture-section.tsx';
import type { FilterDescription } from './filter-form.ts';
import { FilterFields } from './filter-fields.tsx';
import { Sheet } from './sheet.tsx';
import { TrafficChart } from './traffic-chart.tsx';
import './links.css';

/** A link’s filters, traffic and capture. */
const LinkSheet = ({ linkId }: { linkId: string }): ReactElement => {
  const { records, past } = useView();
  const link = records.links.get(linkId);
  if (link === undefined)
    return (
      <Sheet title="Link">
        <p>There is no such link at this moment.</p>
      </Sheet>
    );
  const names = link.nodes.map(({ node_id }) => brief(records.nodes.get(node_id)?.name ?? 'a node'));
  const away = link.nodes.flatMap(({ node_id }, i) => {
    const node = records.nodes.get(node_id);
    const reason = node === undefined ? null : unreachableOf(node);
    return reason === null ? [] : [`${names[i] ?? 'An end'} is unreachable: ${reason}`];
  });
  return (
    <Sheet title={names.join(' – ')}>
      <LinkSections
        key={linkId}
        link={link}
        names={[names[0] ?? 'One end', names[1] ?? 'the other']}
        away={past === null ? (away[0] ?? null) : null}
      />
    </Sheet>
  );
};
export default LinkSheet;

interface SectionsProps {
  readonly link: Link;
  readonly names: readonly [string, string];
  /** Why an end cannot be reached, so that nothing can be asked of it; null: both can. */
  readonly away: string | null;
}

const LinkSections = ({ link, names: [one, other], away }: SectionsProps): ReactElement => {
  const { lab, workbench } = useScope();
  const { past, isReadOnly } = useView();
  const { descriptions, problem } = useDescriptions(link.link_id);
  const { link_id: id } = link;
  return (
    <div className="stack">
      {past !== null && <p className="past-said">This is the past: it can be read, not changed.</p>}
      {away !== null && (
        <p role="status" className="problem wrap">
          {away}. Until it is back, this link stays as it is.
        </p>
      )}
      <div className="row">
        <SwitchField
          label="Suspended: nothing passes"
          value={link.suspend}
          ask={(suspend) => suspendLink(lab, link, suspend)}
          disabled={isReadOnly || away !== null}
        />
        <span className="spring" />
        <Button icon="history" onClick={() => workbench.update(openSheet({ kind: 'history', collection: 'link', id }))}>
          History
        </Button>
      </div>
      {past === null && (
        <section className="stack traffic-section" aria-label="Traffic">
          <h3>Traffic of the last minute</h3>
          <TrafficChart linkId={id} directions={[`${one} → ${other}`, `${other} → ${one}`]} />
        </section>
      )}
      <section className="stack" aria-label="Filters">
        <h3>Filters, in both directions</h3>
        {problem !== null && <p className="problem">{problem}</p>}
        {descriptions?.length === 0 && <p className="note">This link takes no filters.</p>}
        {descriptions !== null && descriptions.length > 0 && (
          <FilterFields link={link} descriptions={descriptions} isAway={away !== null} />
        )}
      </section>
      <CaptureSection link={link} isAway={away !== null} />
    </div>
  );
};

const useDescriptions = (
  linkId: string,
): { descriptions: readonly FilterDescription[] | null; problem: string | null } => {
  const { lab } = useScope();
  const [descriptions, setDescriptions] = useState<readonly FilterDescription[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    const path = { project_id: lab.projectId, link_id: linkId };
    lab.client
      .get('/v2/projects/{project_id}/links/{link_id}/available_filters', { path, signal: ending.signal })
      .then(setDescriptions, (error: unknown) => {
        if (!ending.signal.aborted) setProblem(sentenceOf(error));
      });
    return () => ending.abort();
  }, [lab, linkId]);
  return { descriptions, problem };
};
