import type { ReactElement } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { openPanel } from '../store/workbench.ts';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';
import { countsOf, useBrokenLights, useChecks } from './checks.ts';

/** How many checks are met and broken; pressed, it opens them. Nothing in a lab without. */
export const CheckCounts = (): ReactElement | null => {
  const { lab, workbench } = useScope();
  const { records } = useView();
  const hasNow = useStore(lab.state, (now) => (now.records.project?.checks?.length ?? 0) > 0);
  const hasAny = hasNow || (records.project?.checks?.length ?? 0) > 0;
  const { checks } = useChecks(hasAny).value;
  useBrokenLights(checks);
  if (!hasAny || checks.length === 0) return null;
  const { met, broken } = countsOf(checks);
  const label = t('Checks: {met} met, {broken} broken', { met, broken });
  return (
    <button
      type="button"
      className="check-counts"
      title={label}
      data-testid="check-counts"
      onClick={() => workbench.update(openPanel({ kind: 'checks' }))}
    >
      <span className="count started">
        <Icon name="check" />
        {met}
        <span className="visually-hidden">
          {' '}
          {t('{count, plural, one {check met} other {checks met}}', { count: met })}
          {broken > 0 && ', '}
        </span>
      </span>
      {broken > 0 && (
        <span className="count failed">
          <Icon name="warning" />
          {broken}
          <span className="visually-hidden">
            {' '}
            {t('{count, plural, one {check broken} other {checks broken}}', { count: broken })}
          </span>
        </span>
      )}
    </button>
  );
};
