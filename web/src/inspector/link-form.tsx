import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { unreachableOf } from '../computes/computes.ts';
import { CaptureSection } from '../links/capture-section.tsx';
import { FilterFields } from '../links/filter-fields.tsx';
import type { FilterDescription } from '../links/filter-form.ts';
import { FrameCounts, TrafficChart } from '../links/traffic-view.tsx';
import { sentenceOf } from '../store/notices.ts';
import type { Link, Records } from '../store/records.ts';
import { openSheet } from '../store/workbench.ts';
import { Button } from '../ui/button.tsx';
import { t, told } from '../words/words.ts';
import { FormView } from './form/form-view.tsx';
import type { Spec } from './form/spec.ts';
import { endsOf } from './selection.ts';
import '../links/links.css';

interface Props {
  readonly links: readonly Link[];
  readonly specs: readonly Spec[];
}

/** Settings of links; of a single one also its filters, traffic and capture. */
const LinkForm = ({ links, specs }: Props): ReactElement => {
  const [link] = links;
  return (
    <>
      <FormView own={specs} targets={links.map(({ link_id: id }) => ({ collection: 'link', id }))} />
      {link !== undefined && links.length === 1 && <OneLink link={link} />}
    </>
  );
};
export default LinkForm;

/** Why an end cannot be reached, so that nothing can be asked of it; null: both can. */
const awayOf = (records: Records, link: Link): string | null => {
  for (const { node_id: id } of link.nodes) {
    const node = records.nodes.get(id);
    const reason = node === undefined ? null : unreachableOf(node);
    if (node !== undefined && reason !== null)
      return t('{name} is unreachable: {reason}. Until it is back, this link stays as it is.', {
        name: node.name,
        reason,
      });
  }
  return null;
};

const OneLink = ({ link }: { link: Link }): ReactElement => {
  const { workbench } = useScope();
  const { past, records } = useView();
  const { descriptions, problem } = useDescriptions(link.link_id);
  const { link_id: id } = link;
  const [one, other] = endsOf(records, link);
  const directions = [`${one} → ${other}`, `${other} → ${one}`] as const;
  const away = past === null ? awayOf(records, link) : null;
  return (
    <div className="stack link-sections">
      {away !== null && (
        <p role="status" className="problem wrap">
          {away}
        </p>
      )}
      {away === null && past === null && link.unproved !== undefined && (
        <p role="status" className="note wrap">
          {t('Not proved: {reason}', { reason: told(link.unproved) })}
        </p>
      )}
      {past === null && (
        <section className="stack traffic-section" aria-label={t('Traffic')}>
          <h3>{t('Traffic of the last minute')}</h3>
          <TrafficChart linkId={id} directions={directions} />
          <FrameCounts linkId={id} descriptions={descriptions ?? []} directions={directions} />
        </section>
      )}
      <section className="stack" aria-label={t('Filters')}>
        <h3>{t('Filters')}</h3>
        {problem !== null && <p className="problem">{problem}</p>}
        {descriptions?.length === 0 && <p className="note">{t('This link takes no filters.')}</p>}
        {descriptions !== null && descriptions.length > 0 && (
          <FilterFields {...{ link, descriptions, directions }} isAway={away !== null} />
        )}
      </section>
      <CaptureSection link={link} isAway={away !== null} />
      <div className="row">
        <Button icon="history" onClick={() => workbench.update(openSheet({ kind: 'history', collection: 'link', id }))}>
          {t('History')}
        </Button>
      </div>
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
