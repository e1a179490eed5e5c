import { library } from '../../tsup.config.js';
import { PAGE_NAMES, PAGE_TEXTS } from './src/pages/page-texts.js';

/** Puts the pages for partners into the build, because the package has no `docs` folder. */
const embedPages = {
  name: 'embed-pages',
  setup: (build: {
    onLoad(options: { filter: RegExp }, load: () => { contents: string; loader: 'js' }): void;
  }) =>
    build.onLoad({ filter: /[\\/]pages[\\/]page-texts\.ts$/ }, () => ({
      contents: `export const PAGE_NAMES = ${JSON.stringify(PAGE_NAMES)};
export const PAGE_TEXTS = ${JSON.stringify(PAGE_TEXTS)};`,
      loader: 'js',
    })),
};

export default library({ entry: { index: 'src/index.ts' }, esbuildPlugins: [embedPages] });
