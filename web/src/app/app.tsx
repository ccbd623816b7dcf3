import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { ProjectsView } from '../projects/projects-view.tsx';
import { useStore } from '../store/use-store.ts';
import { ConfirmHost } from '../ui/confirm.tsx';
import { NoticeList } from '../ui/notice-list.tsx';
import { TaskList } from '../ui/task-list.tsx';
import { LoginDialog } from './login-dialog.tsx';
import { useRoute } from './router.ts';
import { greet, session } from './session.ts';

const LabView = lazy(() => import('./lab-view.tsx'));

export const App = (): ReactElement => {
  const route = useRoute();
  const { client, user, isAsked } = useStore(session);
  useEffect(() => {
    greet().catch(() => undefined); // What is shown says it when nobody answers.
  }, []);
  return (
    <>
      <Suspense fallback={<p className="center-note">Loading …</p>}>
        {isAsked ? null : route.view === 'projects' ? (
          <ProjectsView client={client} />
        ) : (
          <LabView key={route.projectId} client={client} user={user} projectId={route.projectId} />
        )}
      </Suspense>
      {isAsked && <LoginDialog />}
      <TaskList />
      <NoticeList />
      <ConfirmHost />
    </>
  );
};
