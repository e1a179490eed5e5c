import { tellStory } from './story.js';

tellStory();
