# Serves examples/receivers/webhooks_controller.rb with Rails, without a project. The root of Rails is a made folder.
require 'fileutils'
require 'rails'
require 'action_controller/railtie'

RECEIVERS = ENV.fetch('RECEIVERS')
ROOT = ENV.fetch('SITE_FOLDER')
FileUtils.mkdir_p("#{ROOT}/lib")
FileUtils.cp("#{RECEIVERS}/receiver.rb", "#{ROOT}/lib")

class Site < Rails::Application
  config.root = ROOT
  config.eager_load = false
  config.secret_key_base = 'of the test'
  config.log_level = :error
  config.hosts.clear
end
Site.initialize!
require "#{RECEIVERS}/webhooks_controller.rb"
Site.routes.draw { post '/webhooks', to: 'webhooks#create' }

require 'puma'
require 'rack/handler/puma'
Rack::Handler::Puma.run(Site, Host: '127.0.0.1', Port: Integer(ENV.fetch('PORT')), Silent: true)
