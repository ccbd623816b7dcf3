import type { ReactElement } from 'react';
import type { Client } from '../../store/api.ts';
import { IconButton } from '../../ui/button.tsx';
import { sayKind } from '../../words/titles.ts';
import { t } from '../../words/words.ts';
import { ApplianceVersion } from './appliance-version.tsx';
import { type Appliance, type Dropped, forget } from './dropped.ts';

/** An appliance with its versions. */
export const ApplianceCard = ({ client, dropped }: { client: Client; dropped: Dropped }): ReactElement => {
  const { appliance, fileName, problem, id } = dropped;
  const name = appliance?.name ?? fileName;
  return (
    <section className="appliance" aria-label={name}>
      <div className="catalogue-head">
        <h3 className="wrap">{name}</h3>
        {appliance !== null && <About appliance={appliance} />}
        <span className="spring" />
        <IconButton icon="close" label={t('Put {name} away', { name })} onClick={() => forget(id)} />
      </div>
      {problem !== null && (
        <p role="alert" className="problem wrap">
          {fileName}: {problem}
        </p>
      )}
      {appliance?.description != null && <p className="note wrap">{appliance.description}</p>}
      {appliance?.versions.map((version, index) => (
        <ApplianceVersion
          // Names of versions need not differ.
          key={`${index} ${version.name ?? ''}`}
          client={client}
          appliance={appliance}
          version={version}
          isOpen={index === 0}
        />
      ))}
    </section>
  );
};

const About = ({ appliance }: { appliance: Appliance }): ReactElement => {
  const { vendor, status, product_url: product, documentation_url: manual, versions } = appliance;
  const kind = versions[0]?.node_type;
  const words = [vendor, kind === undefined ? null : sayKind(kind), status === 'stable' ? null : status];
  return (
    <>
      <span className="note wrap">{words.filter((word) => word !== null).join(' · ')}</span>
      {product !== null && <WebLink href={product} text={t('Product')} />}
      {manual !== null && <WebLink href={manual} text={t('Documentation')} />}
    </>
  );
};

export const WebLink = ({ href, text }: { href: string; text: string }): ReactElement => (
  <a href={href} target="_blank" rel="noreferrer noopener">
    {text}
  </a>
);
