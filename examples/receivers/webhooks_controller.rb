# A webhook receiver in Rails. Put receiver.rb into lib. Route: post '/webhooks', to: 'webhooks#create'
require Rails.root.join('lib/receiver')

class WebhooksController < ActionController::API
  def create
    body = request.raw_post # the raw bytes, before anything parses them
    return head(:bad_request) unless genuine?(request.headers['X-Partner-Signature'].to_s, body)

    event = JSON.parse(body)
    Rails.logger.info("#{event['id']} #{event['type']}") unless SEEN.key?(event['id'])
    SEEN[event['id']] = true
    head(:no_content)
  end
end
