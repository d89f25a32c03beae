// The members of ten of Stripe's objects, as Stripe publishes them: the top level of the fixtures in
// openapi/fixtures3.json of github.com/stripe/openapi at f6c2a48. Names alone; no value is taken over.

/** An object's members in the published fixtures, and how the face differs. */
interface Published {
  readonly keys: string;
  /** Newer than the fixtures: in the official types of the pinned version. */
  readonly newer?: string;
  /** Optional in the official types, and in an object of this state only. */
  readonly sometimes?: string;
  /** Optional in the official types, and not in the face. */
  readonly absent?: string;
}

export const publishedKeys: Readonly<Record<string, Published>> = {
  "checkout.session": {
    keys: `adaptive_pricing after_expiration allow_promotion_codes amount_subtotal amount_total automatic_tax
      billing_address_collection cancel_url client_reference_id client_secret collected_information consent
      consent_collection created currency currency_conversion custom_fields custom_text customer customer_account
      customer_creation customer_details customer_email discounts expires_at id integration_identifier invoice
      invoice_creation livemode locale managed_payments metadata mode object origin_context payment_intent
      payment_link payment_method_collection payment_method_configuration_details payment_method_options
      payment_method_types payment_status permissions phone_number_collection recovered_from
      saved_payment_method_options setup_intent shipping_address_collection shipping_cost shipping_options status
      submit_type subscription success_url total_details ui_mode url wallet_options`,
    newer: "allowed_payment_method_types",
  },
  payment_intent: {
    keys: `amount amount_capturable amount_details amount_received application application_fee_amount
      automatic_payment_methods canceled_at cancellation_reason capture_method client_secret confirmation_method
      created currency customer customer_account description excluded_payment_method_types id last_payment_error
      latest_charge livemode managed_payments metadata next_action object on_behalf_of payment_method
      payment_method_configuration_details payment_method_options payment_method_types processing receipt_email
      review setup_future_usage shipping source statement_descriptor statement_descriptor_suffix status
      transfer_data transfer_group`,
    newer: "allowed_payment_method_types payment_record",
  },
  charge: {
    keys: `amount amount_captured amount_refunded application application_fee application_fee_amount
      balance_transaction billing_details calculated_statement_descriptor captured created currency customer
      description disputed failure_balance_transaction failure_code failure_message fraud_details id livemode
      metadata object on_behalf_of outcome paid payment_intent payment_method payment_method_details receipt_email
      receipt_number receipt_url refunded refunds review shipping source source_transfer statement_descriptor
      statement_descriptor_suffix status transfer_data transfer_group`,
    absent: "refunds",
  },
  refund: {
    keys: `amount balance_transaction charge created currency customer customer_account destination_details id
      metadata object payment_intent payment_method reason receipt_number source_transfer_reversal status
      transfer_reversal`,
    sometimes: "failure_balance_transaction failure_reason pending_reason",
  },
  dispute: {
    keys: `amount balance_transactions charge created currency enhanced_eligibility_types evidence
      evidence_details id is_charge_refundable livemode metadata object payment_intent payment_method_details
      reason status`,
    newer: "intended_submission_method",
  },
  balance_transaction: {
    keys: `amount available_on balance_type created currency description exchange_rate fee fee_details id net
      object reporting_category source status type`,
  },
  payout: {
    keys: `amount application_fee application_fee_amount arrival_date automatic balance_transaction created
      currency description destination failure_balance_transaction failure_code failure_message id livemode
      metadata method object original_payout payout_method reconciliation_status reversed_by source_type
      statement_descriptor status trace_id type`,
  },
  webhook_endpoint: {
    keys: `api_version application created description enabled_events id livemode metadata object status url`,
    sometimes: "secret",
  },
  account: {
    keys: `business_profile business_type capabilities charges_enabled controller country created
      default_currency details_submitted email external_accounts future_requirements id metadata object
      payouts_enabled requirements settings tos_acceptance type`,
    absent: `controller created external_accounts future_requirements metadata requirements tos_acceptance`,
  },
  event: {
    keys: "api_version created data id livemode object pending_webhooks request type",
  },
};
