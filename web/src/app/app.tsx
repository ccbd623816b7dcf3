import { Fragment, lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { ProjectsView } from '../projects/projects-view.tsx';
import { useStore } from '../store/use-store.ts';
import { ConfirmHost } from '../ui/confirm.tsx';
import { NoticeList } from '../ui/notice-list.tsx';
import { TaskList } from '../ui/task-list.tsx';
import { LoginDialog } from './user/login-dialog.tsx';
import { type Command, offer } from '../store/commands.ts';
import { goTo, SECTIONS, useRoute } from './router.ts';
import { Search } from './search/search.tsx';
import { readLogin, session } from './user/session.ts';
import { language, t } from '../words/words.ts';

const CatalogueView = lazy(() => import('../catalogue/catalogue-view.tsx'));
const LabView = lazy(() => import('./lab-view.tsx'));

/** Ways to the catalogue, for the search. */
const catalogueCommands = (): readonly Command[] =>
  SECTIONS.map((section) => ({
    id: `catalogue ${section}`,
    text: { images: t('Images'), templates: t('Templates'), appliances: t('Appliances'), symbols: t('Symbols') }[
      section
    ],
    note: t('Catalogue'),
    icon: 'catalogue',
    run: () => goTo({ view: 'catalogue', section }),
  }));

export const App = (): ReactElement => {
  const route = useRoute();
  const { client, user, isAsked } = useStore(session);
  const spoken = useStore(language);
  useEffect(() => offer(catalogueCommands()), [spoken]);
  const [isGreeted, setGreeted] = useState(false);
  useEffect(() => {
    // A failure is not told here: each view says itself that nobody answers. Following events before the login is known would only be
    // refused where a password is asked for.
    readLogin().then(
      () => setGreeted(true),
      () => setGreeted(true),
    );
  }, []);
  return (
    <Fragment key={spoken}>
      <Suspense fallback={<p className="center-note">{t('Loading …')}</p>}>
        {isAsked || !isGreeted ? null : route.view === 'projects' ? (
          <ProjectsView client={client} />
        ) : route.view === 'catalogue' ? (
          <CatalogueView client={client} section={route.section} />
        ) : (
          <LabView
            key={route.projectId}
            client={client}
            user={user}
            projectId={route.projectId}
            detached={route.view === 'panels' ? route.keys : null}
          />
        )}
      </Suspense>
      {isAsked && (
        <main className="center-note">
          <h1>Topolog</h1>
        </main>
      )}
      {isAsked && <LoginDialog />}
      {!isAsked && isGreeted && <Search client={client} />}
      <TaskList />
      <NoticeList />
      <ConfirmHost />
    </Fragment>
  );
};
