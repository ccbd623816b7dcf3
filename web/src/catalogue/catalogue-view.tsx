import { type ReactElement, useEffect, useState } from 'react';
import { hashOf, type Section, SECTIONS } from '../app/router.ts';
import { SearchButton } from '../app/search/search.tsx';
import { UserButton } from '../app/user/user-button.tsx';
import { ComputesSlot } from '../computes/slots.tsx';
import type { Client } from 'topolog/client';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useForms } from '../inspector/edit/forms.ts';
import { t } from '../words/words.ts';
import { AppliancesSection } from './appliances-section.tsx';
import { ImagesSection } from './images-section.tsx';
import { SymbolsSection } from './symbols-section.tsx';
import { TemplatesSection } from './templates-section.tsx';
import './catalogue.css';

interface Props {
  readonly client: Client;
  readonly section: Section;
}

const TITLES = {
  images: () => t('Images'),
  templates: () => t('Templates'),
  appliances: () => t('Appliances'),
  symbols: () => t('Symbols'),
} as const;

const PARTS = {
  images: ImagesSection,
  templates: TemplatesSection,
  appliances: AppliancesSection,
  symbols: SymbolsSection,
} as const;

/** Everything that the server keeps for all labs. */
const CatalogueView = ({ client, section }: Props): ReactElement => {
  const [hasComputes, setComputes] = useState(false);
  // The forms bring the titles of kinds.
  useForms(client);
  const title = TITLES[section]();
  useEffect(() => {
    document.title = `${title} – Topolog`;
  }, [title]);
  const Part = PARTS[section];
  return (
    <div className="catalogue-page">
      <header className="lab-header">
        <a
          className="icon-button"
          href={hashOf({ view: 'projects' })}
          aria-label={t('All projects')}
          title={t('All projects')}
        >
          <Icon name="back" />
        </a>
        <h1>{t('Catalogue')}</h1>
        <span className="spring" />
        <SearchButton />
        <UserButton />
      </header>
      <nav className="catalogue-tabs" aria-label={t('Catalogue')}>
        {SECTIONS.map((one) => (
          <a
            key={one}
            href={hashOf({ view: 'catalogue', section: one })}
            aria-current={one === section ? 'page' : undefined}
          >
            {TITLES[one]()}
          </a>
        ))}
        <span className="spring" />
        <Button icon="computes" onClick={() => setComputes(true)}>
          {t('Computes')}
        </Button>
      </nav>
      <Part client={client} />
      {hasComputes && <ComputesSlot client={client} onClose={() => setComputes(false)} />}
    </div>
  );
};
export default CatalogueView;
