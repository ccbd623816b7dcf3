import { type ReactElement, useEffect, useState } from 'react';
import { session } from '../app/user/session.ts';
import { Icon } from '../ui/icon.tsx';

interface Props {
  readonly projectId: string;
  /** Another one: the picture may be another. */
  readonly changedAt: string | null;
}

/** The lab's map, small. */
export const Thumbnail = ({ projectId, changedAt }: Props): ReactElement => {
  const [isBroken, setBroken] = useState(false);
  useEffect(() => setBroken(false), [changedAt]);
  const { url } = session.get().client;
  if (isBroken || changedAt === null) return <Icon name="shapes" />;
  return (
    <img
      src={`${url}/v2/projects/${projectId}/picture.svg?size=thumbnail&changed=${changedAt}`}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
    />
  );
};
